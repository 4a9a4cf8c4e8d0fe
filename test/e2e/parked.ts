// Parked runs for scenarios, made without a driver, and readers for them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRun } from '#app/run/start-run.ts';
import { dropControl } from '#app/controls/controls.ts';
import { openSite } from '#app/site.ts';
import type { RunFlags } from '#config/setting-table.ts';
import { resolveRun } from '#config/resolve/resolve-run.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Condition } from '#kernel/waiting/condition.ts';
import { saysDone, seesFile, shellCommand } from './agents.ts';
import { readEvents, sessionsOf } from './journal.ts';
import type { Place } from './place.ts';
import { until } from './wait.ts';

export interface ParkOptions {
  readonly condition: Condition;
  readonly repo?: string;
  readonly remindAt?: number;
  readonly flags?: RunFlags;
  readonly env?: { readonly [name: string]: string };
}

export interface Parked {
  readonly runId: string;
  readonly repoId: string;
  /** Where its journal is. */
  readonly folder: string;
  readonly wakeFile: string;
  readonly events: () => Event[];
  ended(): Promise<void>;
}

let parked = 0;

/** A run that was suspended before anything of it was done. */
export async function parkRun(place: Place, options: ParkOptions): Promise<Parked> {
  const { condition, repo = place.repo, remindAt, env } = options;
  parked += 1;
  const site = await openSite(repo, { ...place.env, ...env });
  const flags = options.flags ?? worker(place);
  const resolved = await resolveRun(site, { goal: `do it ${parked}`, flags, sanityCheck: false });
  const runId = await startRun(site, resolved);
  const times = { since: Date.now(), ...(remindAt === undefined ? {} : { remindAt }) };
  await dropControl(site, runId, { kind: 'suspend', condition, why: 'CI runs', ...times }, 'ann');
  const folder = join(place.stateHome, 'untildone', site.repoId, runId);
  const events = (): Event[] => readEvents(folder);
  return {
    runId,
    repoId: site.repoId,
    folder,
    wakeFile: join(place.stateHome, 'untildone', 'waiting', `${site.repoId}.${runId}.json`),
    events,
    ended: async () => {
      await until(
        `the end of ${runId}`,
        () => events().some(({ type }) => type === 'run-ended') && !existsSync(join(folder, 'holder.json')),
        { stepMs: 25, sign: () => events().length },
      );
    },
  };
}

/** An agent that does the work at once. */
export function worker(place: Place): RunFlags {
  const agent = shellCommand(place, `cat > /dev/null\necho right > done.txt\n${saysDone}\n`);
  return { agent: [agent], check: [seesFile], verifier: 'none', cooldown: '0' };
}

export function past(ms = 1000): Condition {
  return { kind: 'time', at: Date.now() - ms };
}

export function soon(ms = 1000): Condition {
  return { kind: 'time', at: Date.now() + ms };
}

/** Drivers since the one that wrote the suspension down. */
export function drivers({ events }: Parked): number {
  return events().filter(({ type }) => type === 'driver-started').length - 1;
}

export function builders({ events }: Parked): number {
  return sessionsOf(events()).filter(({ deed }) => deed.role === 'builder').length;
}

export function wakeLog(place: Place, { runId }: Parked, repo = place.repo): string {
  const file = join(repo, '.untildone', 'runs', runId, 'wake.log');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
