// Everything that can be derived from a journal without a process: the views of its run, and the next decision of a driver.
// The one place where this guard calls the kernel and the views; it names none of the shapes that they keep to themselves.
import { createHash } from 'node:crypto';
import { scanBytes } from '#adapters/store/journal/scan.ts';
import { apply, replay } from '#kernel/fold/apply.ts';
import { decide } from '#kernel/decide/decide.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import { presets } from '#policies/presets/index.ts';
import { criteriaJson } from '#views/status/criteria-list.ts';
import { masterLogLine } from '#views/lines/master-log.ts';
import { planJson } from '#views/plan/plan.ts';
import { historyText } from '#views/lines/show.ts';
import { stateJson } from '#views/status/state-json.ts';
import { statusText } from '#views/status/status.ts';
import { summaryText } from '#views/report/summary.ts';
import type { Guarded } from './fixtures.ts';

export function eventsIn({ bytes, name }: Guarded): readonly Event[] {
  const { events, problem } = scanBytes(bytes, name);
  if (problem !== null) throw new Error(`the journal ${name} is ${problem}`);
  return events;
}

/** As plain JSON, so that a field that is left out and one that is undefined are the same. */
export function foldJournal(journal: Guarded): unknown {
  const events = eventsIn(journal);
  const run = replay(events);
  const place = { logsDir: '/logs', holder: null };
  return asJson({
    // As its driver writes it.
    'state.json': stateJson(run),
    'plan.json': planJson(run),
    criteria: criteriaJson(run),
    next: nextOf(journal),
    status: statusText(run, { holder: null }).split('\n'),
    summary: summaryText(run, place).split('\n'),
    history: digest(historyText(events)),
    masterLog: digest(events.map((event) => masterLogLine(run, event))),
    onTheWay: onTheWay(journal),
  });
}

/** What a driver of today would do with the run, if it were started now. */
function nextOf(journal: Guarded): unknown {
  const run = replay(eventsIn(journal));
  if (run.outcome !== null) return null;
  apply(run, { at: run.now, type: 'driver-started', epoch: run.epoch + 1, driver: 'host:1' });
  return decisionOf(run);
}

function decisionOf(run: Run) {
  const { policy } = presets[run.config.preset] ?? {};
  if (policy === undefined) throw new Error(`there is no preset ${run.config.preset}`);
  return decide(run, policy);
}

/** A digest for each append: the run as people and its driver saw it then. The number is that of `untildone show`. */
function onTheWay({ bytes, name }: Guarded): string[] {
  const { events, ends } = scanBytes(bytes, name);
  let run: Run | null = null;
  let from = 0;
  return ends.map((end) => {
    for (const event of events.slice(from, end))
      if (run === null) run = replay([event]);
      else apply(run, event);
    from = end;
    if (run === null) throw new Error(`the journal ${name} begins with an empty line`);
    const seen = digest([stateJson(run), planJson(run), criteriaJson(run), decisionOf(run)]);
    return `${end} ${events[end - 1]?.type ?? ''} ${seen}`;
  });
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
