// Real kill -9 on the real program, at moments that chance chooses. UNTILDONE_KILL_SEED repeats one choice; UNTILDONE_KILLS
// says how many kills there are at least.
import { expect, it } from 'vitest';
import type { Event } from '#kernel/events/events.ts';
import type { Stage } from './journal.ts';
import { eventsOf, sessionsOf, stages, startedSteps } from './journal.ts';
import type { Kill, Lived, Target } from './kill-life.ts';
import { live, runArguments } from './kill-life.ts';
import { finishedByReceipt, isAfterEnd, windows } from './kill-window.ts';
import { overlaps, readLedger } from './ledger.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';
import type { Chance } from '#testing/faults/chance.ts';
import { createChance } from '#testing/faults/chance.ts';
import { howMany } from '../support/how-many.ts';

const killsMin = Number(process.env['UNTILDONE_KILLS'] ?? howMany({ usual: 10, long: 60 }));
const killsMax = 3 * killsMin;
const killsPerLife = 12;
/** From so many on, every stage of a run is to be hit; fewer are spent on the ends of sessions. */
const killsForStages = 60;
/** Of all kills, how many have to hit a session between the end of its agent and its record. */
const afterEndMin = Math.ceil(0.3 * killsMin);
const targets: readonly Target[] = ['driver', 'host', 'both', 'group'];
/** Where kills are aimed once every stage was hit: mostly at sessions, which are what costs. */
const usual: readonly [Stage, ...Stage[]] = [
  'builder',
  'builder',
  'verifier',
  'verifier',
  'checks',
  'commit',
];

it('A run loses nothing, repeats no finished session and leaves no process alive under kill -9 of driver, host, both and group [B13] [D1] [D4] [X1] [X11] [Q4]', async () => {
  const seed = Number(process.env['UNTILDONE_KILL_SEED'] ?? Date.now() % 1_000_000);
  say(`kill -9: seed ${seed}`);
  const undisturbed = makePlace();
  expect((await undisturbed.untildone(runArguments(undisturbed))).code).toBe(0);
  const wanted = judge(undisturbed, []);
  const kills: Kill[] = [];
  const lanes = [0, 1].map((lane) => liveInLane(seed + lane, kills, lane === 0));
  // Both to their end, so that a failure of one does not pull the ground from under the other.
  await Promise.allSettled(lanes);
  const lives = (await Promise.all(lanes)).flat();

  const sum = (count: (one: (typeof lives)[number]) => number): number =>
    lives.reduce((all, one) => all + count(one), 0);
  const adopted = sum(({ found }) => found.adopted);
  const counts = {
    factsLost: sum(({ lived }) => lived.factsLost),
    finishedSessionsRepeated: sum(({ found }) => found.finishedLost + found.repeated),
    duplicateCommits: sum(({ found }) => found.commits - wanted.commits),
    overlappingSessions: sum(({ found }) => found.overlapping),
    unendedSteps: sum(({ found }) => found.unended),
    uncountedSessions: sum(({ found }) => found.sessions - found.sessionsCounted),
    processesLeftAlive: sum(({ lived, found }) => lived.survivors + found.alive),
  };
  report(
    seed,
    kills,
    lives.map(({ lived }) => lived),
    { sessions: sum(({ found }) => found.sessions), finishedSessionsAdopted: adopted, ...counts },
  );
  for (const [what, count] of Object.entries(counts)) expect({ [what]: count }).toEqual({ [what]: 0 });
  expect(kills.length).toBeGreaterThanOrEqual(killsMin);
  expect(afterEnd(kills).length).toBeGreaterThanOrEqual(afterEndMin);
  expect(missingNeeds(kills)).toEqual([]);
  expect(adopted).toBeGreaterThan(0);
  for (const { found } of lives) expect(found.tree).toBe(wanted.tree);
  for (const target of targets) expect(kills.map((kill) => kill.target)).toContain(target);
  expect(missingStages(kills)).toEqual([]);
});

const afterEnd = (kills: readonly Kill[]): Kill[] => kills.filter(({ window }) => isAfterEnd(window));
const missingStages = (kills: readonly Kill[]): Stage[] =>
  killsMin < killsForStages ? [] : stages.filter((stage) => !kills.some((kill) => kill.stage === stage));
/** What the ends of sessions have to be hit by: each of these once leaves a finished session to be adopted. */
const needs: readonly Pick<Kill, 'window' | 'target'>[] = [
  { window: 'agent done, not yet in the log', target: 'driver' },
  { window: 'end in the log, no receipt', target: 'driver' },
  { window: 'end in the log, no receipt', target: 'both' },
  { window: 'receipt, not yet recorded', target: 'driver' },
];
const missingNeeds = (kills: readonly Kill[]): typeof needs =>
  needs.filter(
    ({ window, target }) =>
      !kills.some((kill) => kill.window === window && kill.target === target && kill.boundToFinish !== null),
  );
const missingTargets = (kills: readonly Kill[]): Target[] =>
  targets.filter((target) => !kills.some((kill) => kill.target === target));

function pickOf<T>(chance: Chance, [first, ...others]: readonly T[]): T | null {
  return first === undefined ? null : chance.pick([first, ...others]);
}

/** Lives in a row, until there were enough kills and all that should be hit was hit. */
async function liveInLane(seed: number, kills: Kill[], isConfined: boolean) {
  const chance = createChance(seed);
  const isHit = (): boolean =>
    missingStages(kills).length + missingTargets(kills).length === 0 &&
    afterEnd(kills).length >= afterEndMin &&
    missingNeeds(kills).length === 0;
  const isEnough = (): boolean => kills.length >= killsMax || (kills.length >= killsMin && isHit());
  const lives: { readonly lived: Lived; readonly found: ReturnType<typeof judge> }[] = [];
  while (!isEnough()) {
    const place = makePlace();
    // Killed over and over, attempts look alike.
    place.write('config/untildone/config.jsonc', '{ "stuck": { "max": 0 } }');
    const own: Kill[] = [];
    const lived = await live({
      place,
      chance,
      isConfined,
      aim: () => pickOf(chance, missingStages(kills)) ?? chance.pick(usual),
      wantedTarget: (window) =>
        missingNeeds(kills).find((need) => need.window === window)?.target ??
        pickOf(chance, missingTargets(kills)),
      wantedWindow: () => pickOf(chance, missingNeeds(kills))?.window ?? null,
      isOver: (count) => count >= killsPerLife || isEnough(),
      onKill: (kill) => {
        kills.push(kill);
        own.push(kill);
      },
    });
    lives.push({ lived, found: { ...judge(place, own), sessionsCounted: await countedSessions(place) } });
  }
  return lives;
}

/** What a run left behind, by its journal, its receipts, git, the agents' own ledger and /proc. */
function judge(place: Place, kills: readonly Kill[]) {
  const events = eventsOf(place);
  const sessions = sessionsOf(events);
  const ended = events.flatMap((event) =>
    event.type === 'step-ended' || event.type === 'step-lost' ? [event.stepId] : [],
  );
  const finished = sessions.filter(({ result }) => result?.ending.kind === 'finished');
  const deeds = finished.map(({ deed, baseTree }) =>
    JSON.stringify(deed.role === 'builder' ? [deed.role, deed.attempt] : [deed.role, deed.attempt, baseTree]),
  );
  const branch = place.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/untildone').split('\n');
  const trailers = place
    .git(
      'log',
      '--format=%(trailers:key=Untildone-Step,valueonly,separator=%x2C)',
      `main..${branch[0] ?? ''}`,
    )
    .split('\n');
  const ledger = readLedger(place);
  const starts = ledger.filter(({ what }) => what === 'start').map(({ mark }) => mark);
  expect(ledger.filter(({ what }) => what === 'alive')).not.toEqual([]);
  expect(runFolders(place)).toHaveLength(1);
  expect(branch).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: 'run-ended', outcome: 'completed' });
  return {
    adopted: adoptedSessions(events),
    tree: place.git('rev-parse', `${branch[0] ?? ''}^{tree}`),
    commits: trailers.length + (trailers.length - new Set(trailers).size),
    sessions: sessions.length,
    sessionsCounted: 0,
    finishedLost: notFinished(place, kills, events).length,
    repeated: deeds.length - new Set(deeds).size + (starts.length - new Set(starts).size),
    overlapping: overlaps(ledger).length,
    unended: startedSteps(events).filter(({ stepId }) => ended.filter((id) => id === stepId).length !== 1)
      .length,
    alive: place.living().length,
  };
}

/** Sessions that finished under one driver and were written down by another. */
function adoptedSessions(events: readonly Event[]): number {
  const startedIn = new Map<string, number>();
  let epoch = 0;
  let adopted = 0;
  for (const event of events) {
    if (event.type === 'driver-started') epoch = event.epoch;
    else if (event.type === 'step-started') startedIn.set(event.step.stepId, epoch);
    else if (event.type === 'step-ended' && event.result.kind === 'session') {
      const isFinished = event.result.ending.kind === 'finished';
      if (isFinished && startedIn.get(event.stepId) !== epoch) adopted += 1;
    }
  }
  return adopted;
}

/** Sessions that had finished and were recorded otherwise; prints for each what was killed and how it was recorded. */
function notFinished(place: Place, kills: readonly Kill[], events: readonly Event[]): string[] {
  const sessions = sessionsOf(events);
  return [...boundToFinish(place, kills)].flatMap((stepId) => {
    const ending = sessions.find((session) => session.stepId === stepId)?.result?.ending;
    if (ending?.kind === 'finished') return [];
    const hits = kills.filter((kill) => kill.stepId === stepId);
    const lost = events.find((event) => event.type === 'step-lost' && event.stepId === stepId);
    say(`not recorded as finished: ${stepId} in ${place.folder}: ${JSON.stringify({ ending, lost, hits })}`);
    return [stepId];
  });
}

/** Sessions whose end was known, to their host or on the disk, when something was killed. */
function boundToFinish(place: Place, kills: readonly Kill[]): Set<string> {
  const bound = kills.flatMap((kill) => kill.boundToFinish ?? []);
  return new Set([...bound, ...finishedByReceipt(place)]);
}

async function countedSessions(place: Place): Promise<number> {
  const { stdout } = await place.untildone(['status', '--json']);
  return (JSON.parse(stdout) as { spent: { sessions: number } }).spent.sessions;
}

interface Counts {
  readonly [what: string]: number;
  readonly finishedSessionsRepeated: number;
}

function report(seed: number, kills: readonly Kill[], lives: readonly Lived[], counts: Counts): void {
  const count = (value: string | null, of: (kill: Kill) => string | null): string =>
    `${value ?? 'before the run was written down'} ${kills.filter((kill) => of(kill) === value).length}`;
  const resumes = lives.reduce((all, { resumes: some }) => all + some, 0);
  const bound = kills.filter((kill) => kill.boundToFinish !== null).length;
  const { finishedSessionsRepeated } = counts;
  say(
    [
      `kill -9: ${kills.length} kills in ${lives.length} runs (seed ${seed}), resumed ${resumes} times`,
      `  of: ${targets.map((target) => count(target, (kill) => kill.target)).join(', ')}`,
      `  during: ${[...stages, null].map((stage) => count(stage, (kill) => kill.stage)).join(', ')}`,
      `  in: ${windows.map((window) => count(window, (kill) => kill.window)).join('; ')}`,
      `  after the end of the agent: ${afterEnd(kills).length} (at least ${afterEndMin}); sessions that had to be adopted: ${bound}`,
      `  ${JSON.stringify(counts)}`,
      `finished sessions repeated: ${finishedSessionsRepeated} (seed ${seed})`,
    ].join('\n'),
  );
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
