// One run under kills: killed, started again with the same command, killed again, until it completes.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '#kernel/events/events.ts';
import type { Stage } from './journal.ts';
import { readEvents, stageOf } from './journal.ts';
import { signingAgents, signingCheck } from './ledger.ts';
import type { Window } from './kill-window.ts';
import { boundToFinish, isAgentAlive, isHosted, momentOf, windows } from './kill-window.ts';
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
  /** The session that was under way, and how far it had come. */
  readonly stepId: string | null;
  readonly window: Window;
  /** The session that has to be recorded as finished after this kill. */
  readonly boundToFinish: string | null;
}

export interface Life {
  readonly place: Place;
  readonly chance: Chance;
  /** A pid namespace ends everything at once; without one, what a killed host leaves is swept by the next driver. */
  readonly isConfined: boolean;
  /** The stage that should be hit next, if any is wanted most. */
  aim(): Stage | null;
  /** What should be killed next, if anything is wanted most. */
  readonly wantedTarget?: (window: Window) => Target | null;
  /** How far a session should have come that is killed after its agent's end. */
  readonly wantedWindow?: () => Window | null;
  /** False when this life has been disturbed enough. */
  isOver(kills: number): boolean;
  onKill(kill: Kill): void;
}

export interface Lived {
  readonly kills: number;
  readonly resumes: number;
  /** What was in the journal after a kill and later was not. */
  readonly factsLost: number;
  /** Processes that were alive although driver and session host were dead. */
  readonly survivors: number;
}

/** The rough duration of a run without kills. */
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
  /** Sessions that were hit already: the next aimed kill is for another one, or for a moment that chance chooses. */
  const hit = new Set<string>();
  for (let before: Event[] = []; ;) {
    const running = place.start(args, { isGroup: true, env });
    let isDead = false;
    while (!isDead && !life.isOver(lived.kills)) {
      if (!(await moment(life, running, hit))) break;
      const kill = strike(running.pid, place, chance, { wantedTarget: life.wantedTarget, hit });
      if (kill === null) break;
      life.onKill(kill);
      if (kill.stepId !== null) hit.add(kill.stepId);
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
async function moment(life: Life, running: Running, hit: ReadonlySet<string>): Promise<boolean> {
  const { place, chance } = life;
  const dice = chance.next();
  const wanted = dice < 0.25 ? life.aim() : null;
  if (dice > 0.35) await afterEnd(life, running.pid, hit);
  else if (wanted === null) await Promise.race([sleep(50 + chance.next() * momentMsMax), running.ended]);
  else {
    await until(`stage ${wanted}`, () => !isAlive(running.pid) || stageOf(events(place)) === wanted, {
      stepMs: 1,
    });
    await sleep(chance.next() * 25);
  }
  return isAlive(running.pid);
}

/**
 * The worst moments: the agent has done its work, and the driver has not recorded it yet. What would end such a moment is
 * stopped, so that the kill comes in time.
 */
async function afterEnd(
  { place, chance, wantedWindow }: Life,
  driver: number,
  hit: ReadonlySet<string>,
): Promise<void> {
  const reached = (wanted: Window) => (): boolean => {
    const { window, stepId } = momentOf(place);
    const isFresh = stepId !== null && !hit.has(stepId);
    return !isAlive(driver) || (isFresh && windows.indexOf(window) >= windows.indexOf(wanted));
  };
  const wanted = wantedWindow?.() ?? chance.pick([windows[2], windows[3], windows[3], windows[4]]);
  if (wanted === windows[3]) {
    await until('the end of an agent in the log', reached(wanted), { stepMs: 2 });
    return sleep(chance.next() * 40);
  }
  await until('the end of an agent', reached(windows[2]), { stepMs: 2 });
  const { stepId } = momentOf(place);
  if (wanted === windows[4]) {
    send(driver, 'SIGSTOP');
    const isHopeless = (): boolean => stepId === null || !isHosted(place, stepId);
    await until('a receipt', () => reached(wanted)() || isHopeless(), { stepMs: 2 });
    return;
  }
  for (const pid of hostsOf(driver)) send(pid, 'SIGSTOP');
  await until('the exit of the agent', () => stepId === null || !isAgentAlive(place, stepId));
}

interface Aim {
  readonly wantedTarget?: Life['wantedTarget'];
  /** Sessions that were hit before. */
  readonly hit?: ReadonlySet<string>;
}

export function strike(
  driver: number,
  place: Place,
  chance: Chance,
  { wantedTarget = () => null, hit = new Set() }: Aim = {},
): Kill | null {
  const hosts = hostsOf(driver);
  const possible: readonly [Target, ...Target[]] =
    hosts.length === 0 ? ['driver', 'group'] : ['driver', 'host', 'host', 'both', 'both', 'group'];
  const seen = events(place);
  const moment = momentOf(place);
  const wanted = wantedTarget(moment.window);
  const target = wanted !== null && possible.includes(wanted) ? wanted : chance.pick(possible);
  const isHostKilled = target === 'host' || target === 'both';
  // A session that was hit before may have been ended by that, and not by itself.
  const isFirst = moment.stepId !== null && !hit.has(moment.stepId);
  const bound = boundToFinish(place, moment, isFirst && !isHostKilled);
  if (isHostKilled) for (const pid of hosts) send(pid, 'SIGKILL');
  if (target === 'group') send(-driver, 'SIGKILL');
  else if (target !== 'host' && !send(driver, 'SIGKILL')) return null;
  for (const pid of [driver, ...hosts]) send(pid, 'SIGCONT');
  const stage = seen.length === 0 ? null : stageOf(seen);
  return { target, stage, ...moment, boundToFinish: bound };
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
