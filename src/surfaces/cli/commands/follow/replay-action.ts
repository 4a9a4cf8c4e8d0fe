import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { apply, replay } from '#kernel/fold/apply.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import { OperatorError } from '#base/operator-error.ts';
import { messagesIn } from '#surfaces/cli/log-files.ts';
import { print, printJsonLine, printNote } from '#surfaces/cli/output.ts';
import { pickToRead } from '#surfaces/cli/pick/pick-run.ts';
import { chooseDisplay } from '#surfaces/cli/render/choose-display.ts';
import { createLineDisplay } from '#surfaces/cli/render/lines.ts';
import { stateJson } from '#views/status/state-json.ts';
import { summaryText } from '#views/report/summary.ts';

export interface ReplayOptions {
  readonly speed?: string;
  readonly json?: boolean;
}

// A long wait for a usage limit is shortened at any speed.
const waitMsMax = 5_000;

export async function replayCommand(name: string | undefined, options: ReplayOptions): Promise<number> {
  const { openStore, runFiles } = await import('#app/site.ts');
  const speed = speedOf(options.speed);
  const { site, run: known } = await pickToRead(name, 'replay');
  const { events, notes } = await openStore(site).read(known.id);
  for (const note of notes) printNote(note);
  const files = runFiles(site, known.id);
  const run = await play(events, {
    speed,
    isJson: options.json === true,
    logsDir: files.logsDir,
  });
  if (options.json === true)
    printJsonLine({
      type: 'result',
      runId: run.id,
      outcome: run.outcome?.outcome ?? null,
      isReplay: true,
      state: stateJson(run),
    });
  else print(`\n${summaryText(run, files)}`);
  return 0;
}

interface Playing {
  /** Null: all at once. */
  readonly speed: number | null;
  readonly isJson: boolean;
  readonly logsDir: string;
}

/** The same facts through the same display; the clock follows the facts. */
async function play(events: readonly Event[], { speed, isJson, logsDir }: Playing): Promise<Run> {
  const [first, ...rest] = events;
  const run = replay(first === undefined ? [] : [first]);
  let now = run.now;
  const clock = (): number => now;
  const display = speed === null && !isJson ? createLineDisplay(clock) : chooseDisplay(isJson, clock);
  const reach = async (at: number): Promise<void> => {
    if (speed !== null && at > now) await setTimeout(Math.min(waitMsMax, (at - now) / speed));
    now = Math.max(now, at);
  };
  try {
    if (first !== undefined) display.onEvents?.(run, [first]);
    for (const event of rest) {
      if (hasLog(event) && !isJson)
        for await (const { at, event: message } of messagesIn(join(logsDir, basename(event.result.log)))) {
          await reach(Math.min(at, event.at));
          display.onChatter?.(event.stepId, message);
        }
      await reach(event.at);
      apply(run, event);
      display.onEvents?.(run, [event]);
    }
  } finally {
    display.close();
  }
  return run;
}

type SessionEnded = Extract<Event, { readonly type: 'step-ended' }> & { readonly result: SessionResult };

function hasLog(event: Event): event is SessionEnded {
  if (event.type !== 'step-ended' || event.result.kind !== 'session') return false;
  return event.result.notAdmitted !== true;
}

function speedOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const speed = Number(text.replace(/x$/, ''));
  if (Number.isFinite(speed) && speed > 0) return speed;
  throw new OperatorError(
    'wrong-speed',
    `--speed takes a number above 0, not "${text}".`,
    'For example: --speed 60 shows an hour in a minute.',
  );
}
