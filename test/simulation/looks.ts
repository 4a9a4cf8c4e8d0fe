// The combined result of several runs of a check, by rules of the simulation's own.
import type { Verdict } from '#kernel/model/criterion.ts';
import type { LedgerCheck } from './ledger.ts';
import type { Universe } from './universe.ts';

/** Nothing but passes, or as many as the policy asks for; a failure that no pass took back; else it is not known. */
export function together({ plan }: Universe, all: LedgerCheck['looks']): Verdict {
  const looks = counted(all).map(({ verdict }) => verdict);
  const passes = looks.filter((one) => one === 'pass').length;
  if (passes === looks.length) return 'pass';
  if (!looks.includes('fail')) return 'unknown';
  if (passes === 0) return 'fail';
  const { passes: enough = null } = plan.config.flaky ?? {};
  return enough !== null && passes >= enough && looks.at(-1) !== 'unknown' ? 'pass' : 'unknown';
}

export function hasFailed({ looks }: LedgerCheck): boolean {
  return counted(looks).some(({ verdict }) => verdict === 'fail');
}

export function hasPassed({ looks }: LedgerCheck): boolean {
  return counted(looks).some(({ verdict }) => verdict === 'pass');
}

/** A check need not bear its own leftovers: what its first repetition says counts for nothing if fresh checkouts follow. */
function counted(looks: LedgerCheck['looks']): LedgerCheck['looks'] {
  const [first, second, ...fresh] = looks;
  if (first?.verdict !== 'pass' || second === undefined || second.worktree !== first.worktree) return looks;
  const isFresh = fresh.length > 0 && fresh.every(({ worktree }) => worktree !== first.worktree);
  if (!isFresh) return looks;
  const isHeld = fresh.length >= 3 || fresh.at(-1)?.verdict !== 'pass';
  return isHeld ? [first, ...fresh] : looks;
}
