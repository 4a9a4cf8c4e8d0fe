// Where a run was forked from, and which runs were forked from it.
import type { Run } from '#kernel/fold/run.ts';
import { utc, utcMinute } from '#views/words.ts';
import type { ForkOrigin } from '#kernel/events/after-end-facts.ts';

export function originJson({ runId, event, by, at }: NonNullable<Run['forked']>) {
  return { runId, event, by, at: utc(at) };
}

/** The id of each fork, and the event of the old run after which it begins. */
export function forksAmong(runs: readonly { readonly run: Run }[], runId: string): ForkOrigin[] {
  return runs.flatMap(({ run }) =>
    run.forked?.runId === runId ? [{ runId: run.id, event: run.forked.event }] : [],
  );
}

export function forkedLines({ forked }: Run): string[] {
  if (forked === null) return [];
  const { runId, event, by, at } = forked;
  return [`🍴 Forked by ${by} on ${utcMinute(at)} from run ${runId}, event ${event}`];
}

export function forksLines(forks: readonly ForkOrigin[]): string[] {
  return forks.map(({ runId, event }) => `🍴 Fork: run ${runId}, from event ${event}`);
}
