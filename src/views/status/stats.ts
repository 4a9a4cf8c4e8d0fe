import { knownUsd, type Ledger } from '#kernel/model/budget.ts';
import type { Run } from '#kernel/fold/run.ts';
import { iterations } from './status.ts';
import { costLine, elapsed } from '#views/words.ts';

export function statsOf(runs: readonly Run[]) {
  const outcomes = { completed: 0, failed: 0, exhausted: 0, blocked: 0, stopped: 0, unverified: 0 };
  for (const { outcome } of runs) if (outcome !== null) outcomes[outcome.outcome] += 1;
  const begun = runs.filter((run) => iterations(run) > 0);
  const spent = total(runs, 'spent');
  const lost = total(runs, 'lost');
  const usdIsComplete = runs.every((run) => run.ledger.usdIsComplete);
  return {
    total: runs.length,
    unfinished: runs.filter((run) => run.outcome === null).length,
    outcomes,
    averageIterations: begun.length === 0 ? 0 : sum(begun, iterations) / begun.length,
    sessions: spent.sessions,
    /** Null if no agent reported a cost. */
    usd: knownUsd({ spent, lost, usdIsComplete }),
    usdIsComplete,
    tokens: spent.tokens,
    /** The part that no agent reported: money and tokens reserved for interrupted sessions. */
    lost,
    activeMs: sum(runs, (run) => run.activeMs),
  };
}

function total(runs: readonly Run[], part: 'spent' | 'lost'): Ledger['spent'] {
  return {
    sessions: sum(runs, ({ ledger }) => ledger[part].sessions),
    usd: sum(runs, ({ ledger }) => ledger[part].usd),
    tokens: sum(runs, ({ ledger }) => ledger[part].tokens),
  };
}

export function statsText(stats: ReturnType<typeof statsOf>): string {
  const { outcomes } = stats;
  // Without a known cost, the reservation for interrupted sessions is the only figure.
  const spent = { ...stats, usd: stats.usd ?? stats.lost.usd };
  const others = (['exhausted', 'blocked', 'stopped', 'unverified'] as const)
    .filter((outcome) => outcomes[outcome] > 0)
    .map((outcome) => `${outcome[0]?.toUpperCase() ?? ''}${outcome.slice(1)}: ${outcomes[outcome]}`);
  return [
    '📈 Loop Statistics',
    `Total loops: ${stats.total}`,
    `Completed: ${outcomes.completed}`,
    `Failed: ${outcomes.failed}`,
    ...others,
    ...(stats.unfinished > 0 ? [`Unfinished: ${stats.unfinished}`] : []),
    `Avg iterations: ${stats.averageIterations.toFixed(1)}`,
    `Sessions: ${stats.sessions}`,
    `Cost: ${costLine({ ...stats, spent })}`,
    `Time: ${elapsed(stats.activeMs)} of work`,
  ].join('\n');
}

function sum(runs: readonly Run[], amount: (run: Run) => number): number {
  return runs.reduce((all, run) => all + amount(run), 0);
}
