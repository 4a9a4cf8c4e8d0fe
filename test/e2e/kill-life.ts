// One life of a run under kills: killed, started again with the same command, killed again, until it completes.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '#kernel/events.ts';
import type { Stage } from './journal.ts';
import { readEvents, stageOf } from './journal.ts';
import { readLedger, signingAgents, signingCheck } from './ledger.ts';
import type { Running } from './package.ts';
import type { Place } from './place.ts';
import { runFolders } from './place.ts';
import { hostsOf, isAlive, send } from './processes.ts';
import type { Chance } from '#testing/faults/chance.ts';
import { until } from './wait.ts';

export type Target = 'driver' | 'host' | 'both' | 'group';

export interface Kill {
  readonly target: Target;
  /** Null when the run did not exist yet. */
  readonly stage: Stage | null;
}

export interface Life {
  readonly place: Place;
  readonly chance: Chance;
  /** A pid namespace ends everything at once; without one, what a killed host leaves is swept by the next driver. */
  readonly isConfined: boolean;
  /** The stage that should be hit next, if any is wanted most. */
  aim(): Stage | null;
  /** False when this life has been disturbed enough. */
  isOver(kills: number): boolean;
  onKill(kill: Kill): void;
}

export interface Lived {
  readonly kills: number;
  readonly resumes: number;
  /** What was in the journal after a kill and later was not. */
  readonly factsLost: number;
  /** Processes that were alive although nobody was left to keep them. */
  readonly survivors: number;
}

/** A run takes about so long when nobody disturbs it. */
const momentMsMax = 1_500;

export function runArguments(place: Place): string[] {
  // A session that is lost counts with all that it might have cost, so there must be plenty.
  const limits = ['--budget', 'sessions=2000,usd=100000,tokens=100000M', '--max-loops', '500'];
  return ['run', 'make progress', '--check', signingCheck, ...limits, ...signingAgents(place)];
}

export async function live(life: Life): Promise<Lived> {
  const { place, chance } = life;
  const args = runArguments(place);
  const env: { [name: string]: string } = life.isConfined ? {} : withoutNamespaces(place);
  const lived = { kills: 0, resumes: 0, factsLost: 0, survivors: 0 };
  for (let before: Event[] = []; ;) {
    const running = place.start(args, { isGroup: true, env });
    let isDead = false;
    while (!isDead && !life.isOver(lived.kills)) {
      if (!(await moment(life, running))) break;
      const kill = strike(running.pid, place, chance);
      if (kill === null) break;
      life.onKill(kill);
      lived.kills += 1;
      isDead = kill.target !== 'host';
    }
    const { code, stdout } = await running.ended;
    const after = events(place);
    if (!isPrefix(before, after)) lived.factsLost += 1;
    if (stdout.includes('🔄 Resuming from durable session')) lived.resumes += 1;
    else if (before.length > 0 && code === 0) throw new Error(`began anew instead of resuming:\n${stdout}`);
    if (!isDead) {
      if (code !== 0) throw new Error(`exit ${code}:\n${stdout}\n${running.stderr()}`);
      return lived;
    }
    // Killed between its last fact and its exit: the run is over, and the same command would begin another.
    if (after.at(-1)?.type === 'run-ended') {
      lived.survivors += await survivors({ ...life, isConfined: true });
      return lived;
    }
    before = after;
    // Now and then the next driver comes while the host of the dead one still tidies up.
    if (chance.next() < 0.5) lived.survivors += await survivors(life);
  }
}

/** Waits for the moment of the next kill; false when the run was quicker. */
async function moment(life: Life, running: Running): Promise<boolean> {
  const { place, chance } = life;
  const dice = chance.next();
  const wanted = dice < 0.5 ? life.aim() : null;
  if (dice > 0.7) await lastWords(place, running.pid, chance);
  else if (wanted === null) await Promise.race([sleep(50 + chance.next() * momentMsMax), running.ended]);
  else {
    await until(`stage ${wanted}`, () => !isAlive(running.pid) || stageOf(events(place)) === wanted, {
      stepMs: 1,
    });
    await sleep(chance.next() * 25);
  }
  return isAlive(running.pid);
}

/** The worst moment: the agent has done its work, and nobody has written it down yet. */
async function lastWords(place: Place, driver: number, chance: Chance): Promise<void> {
  const ends = (): number => readLedger(place).filter(({ what }) => what === 'end').length;
  const before = ends();
  await until('the end of a session', () => !isAlive(driver) || ends() > before, { stepMs: 2 });
  await sleep(chance.next() * 150);
}

export function strike(driver: number, place: Place, chance: Chance): Kill | null {
  const hosts = hostsOf(driver);
  const target: Target = chance.pick(
    hosts.length === 0 ? ['driver', 'group'] : ['driver', 'host', 'host', 'both', 'both', 'group'],
  );
  const seen = events(place);
  if (target === 'host' || target === 'both') for (const pid of hosts) send(pid, 'SIGKILL');
  if (target === 'group') send(-driver, 'SIGKILL');
  else if (target !== 'host' && !send(driver, 'SIGKILL')) return null;
  return { target, stage: seen.length === 0 ? null : stageOf(seen) };
}

/** What still lives when everybody had time to go. */
async function survivors({ place, isConfined }: Life): Promise<number> {
  const isGone = (): boolean => place.living().length === 0;
  // Without a namespace a killed host leaves its agent to the next driver's sweep: nothing to see before.
  if (!isConfined) return 0;
  await until('nothing to be alive', isGone, { stepMs: 50 }).catch(() => {});
  return place.living().length;
}

/** A bubblewrap that does not work stands first on PATH. */
export function withoutNamespaces(place: Place): { [name: string]: string } {
  place.write('no-bwrap/bwrap', '#!/bin/sh\nexit 1\n');
  place.makeExecutable('no-bwrap/bwrap');
  return { PATH: `${place.folder}/no-bwrap:${place.env['PATH'] ?? ''}` };
}

function events(place: Place): Event[] {
  const newest = runFolders(place).at(-1);
  return newest === undefined ? [] : readEvents(newest);
}

function isPrefix(before: readonly Event[], after: readonly Event[]): boolean {
  return before.every((event, index) => JSON.stringify(event) === JSON.stringify(after[index]));
}
