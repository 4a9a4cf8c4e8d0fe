// Real kill -9 on the action loop, at random moments. UNTILDONE_KILL_SEED repeats one choice.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { FakeEndpoint } from '#test/agents/fake-endpoint.ts';
import { openEndpoint } from '#test/agents/fake-endpoint.ts';
import type { Chance } from '#testing/faults/chance.ts';
import { createChance } from '#testing/faults/chance.ts';
import { howMany } from '../support/how-many.ts';
import { seesFile } from './agents.ts';
import { eventsOf, sessionsOf } from './journal.ts';
import { finishedByReceipt, openSession } from './kill-window.ts';
import { actionsIn, takenIn } from './loop-agents.ts';
import type { Stage } from './loop-model.ts';
import { modelFlags, turnModel } from './loop-model.ts';
import { branchOf } from './looking.ts';
import { bin } from './package.ts';
import type { Running } from './package.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';
import { hostsOf, isAlive, send } from './processes.ts';
import { noScreen, openScreen } from './screen.ts';
import { until } from './wait.ts';

const opened: FakeEndpoint[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
});

const moments = ['middle of a turn', 'result, not yet recorded', 'any time'] as const;
type Moment = (typeof moments)[number];
const targets = ['driver', 'driver and host'] as const;
const ways = moments.flatMap((moment) => targets.map((target) => ({ moment, target })));
const killsPerLife = 4;

interface Bed {
  readonly place: Place;
  /** Called before the next answers of the model, until it is replaced. */
  before: (stage: Stage) => Promise<void>;
  /** To the model so far; each tells 15 tokens. */
  requests(): number;
}

describe('The action loop under kill -9', () => {
  it('A loop whose driver or host is killed ends like an undisturbed one, and no finished session is paid twice [A9] [B13] [D1] [D4] [Q4]', async () => {
    const kills = howMany({ usual: 8, long: 32 });
    const seed = Number(process.env['UNTILDONE_KILL_SEED'] ?? Date.now() % 1_000_000);
    process.stdout.write(`kill -9 of the action loop: seed ${seed}\n`);
    const undisturbed = await makeBed();
    expect((await undisturbed.place.untildone(runArguments)).code).toBe(0);
    const wanted = progressOf(undisturbed.place);
    // The history of a conversation is sent with each request, but what it cost before is not counted again.
    expect(await tokensSpent(undisturbed.place)).toBe(15 * undisturbed.requests());
    expect(wanted.actions).toHaveLength(6);
    const done: string[] = [];
    const lane = async (chance: Chance): Promise<void> => {
      while (done.length < kills) expect(await live(chance, done, kills)).toEqual(wanted);
    };
    const lanes = [lane(createChance(seed)), lane(createChance(seed + 1))];
    // Both to their end, so that a failure of one does not remove what the other works on.
    await Promise.allSettled(lanes);
    await Promise.all(lanes);
    process.stdout.write(`${said(seed, done)}\n`);
    for (const way of ways) expect(done).toContain(nameOf(way));
  });

  it.skipIf(noScreen !== '')(
    `A loop that is killed while its menu waits shows the same menu again, and nothing was chosen${noScreen} [A6] [A9]`,
    async () => {
      const { place } = await makeBed();
      const screen = openScreen(place);
      const command = [bin(), ...runArguments].map((word) => `'${word}'`).join(' ');
      const script = place.write('on-screen.sh', `stty sane; clear; echo "begins $1"\n${command}\n`);
      try {
        for (let kill = 1; kill <= howMany({ usual: 2, long: 8 }); kill += 1) {
          screen.write(`sh '${script}' ${kill}\n`);
          await until('the menu', () => {
            const text = screen.text();
            return text.includes(`begins ${kill}`) && /iteration 1 of 10[\s\S]*A letter, or/.test(text);
          });
          const driver = place.living().find(({ command: words }) => words.includes(`${bin()} run`));
          expect(send(driver?.pid ?? -1, 'SIGKILL')).toBe(true);
          await until('the kill', () => !isAlive(driver?.pid ?? -1));
        }
      } finally {
        screen.close();
      }
      expect(actionsIn(place)).toEqual(['INIT 1 success']);
      const chosen = await place.untildone(['choose', 'develop']);
      expect(chosen.code).toBe(6);
      expect(actionsIn(place)).toEqual(['INIT 1 success', 'DEVELOP 2 success']);
      expect(sessionsOf(eventsOf(place))).toHaveLength(2);
    },
  );
});

const runArguments = [
  'run',
  'do it',
  '--check',
  seesFile,
  ...modelFlags,
  '--budget',
  'sessions=2000,usd=100000,tokens=100000M',
];

async function makeBed(): Promise<Bed> {
  const endpoint = await openEndpoint(turnModel((stage) => bed.before(stage)));
  const bed: Bed = {
    place: makePlace(),
    before: async () => {},
    requests: () => endpoint.asked.length,
  };
  opened.push(endpoint);
  const agents = { mine: { driver: 'openai', baseUrl: endpoint.baseUrl, model: 'm' } };
  bed.place.write('config/untildone/config.jsonc', JSON.stringify({ agents }));
  return bed;
}

/** Killed, started again with the same command, killed again, until the loop completes. */
async function live(
  chance: Chance,
  done: string[],
  killsMax: number,
): Promise<ReturnType<typeof progressOf>> {
  const bed = await makeBed();
  const { place } = bed;
  for (let kills = 0; ;) {
    const running = place.start(runArguments, { isGroup: true });
    const isOver = kills >= killsPerLife || done.length >= killsMax;
    const struck = isOver ? null : await strike(bed, running, { chance, done });
    bed.before = async () => {};
    const { code, stdout } = await running.ended;
    if (struck === null && code !== 0) throw new Error(`exit ${code}:\n${stdout}\n${running.stderr()}`);
    if (struck === null) break;
    kills += 1;
    done.push(struck);
    // Killed between its last fact and its exit: the same command would begin another run.
    if (eventsOf(place).at(-1)?.type === 'run-ended') break;
  }
  await until('nothing to be alive', () => place.living().length === 0, { stepMs: 50 });
  return progressOf(place);
}

/** Null where the run was quicker. */
async function strike(
  bed: Bed,
  running: Running,
  { chance, done }: { readonly chance: Chance; readonly done: readonly string[] },
): Promise<string | null> {
  const { moment, target } = rarest(chance, done);
  await momentOf(moment, bed, running, chance);
  const hosts = hostsOf(running.pid);
  if (!isAlive(running.pid)) return null;
  if (target === 'driver and host') for (const pid of hosts) send(pid, 'SIGKILL');
  if (!send(running.pid, 'SIGKILL')) return null;
  return nameOf({ moment, target });
}

/** The way that was used least so far; chance chooses between equals. */
function rarest(chance: Chance, done: readonly string[]): (typeof ways)[number] {
  const counts = ways.map((way) => done.filter((one) => one === nameOf(way)).length);
  const [first, ...others] = ways.filter((_, index) => counts[index] === Math.min(...counts));
  return first === undefined ? { moment: 'any time', target: 'driver' } : chance.pick([first, ...others]);
}

function nameOf({ moment, target }: (typeof ways)[number]): string {
  return `${target}, ${moment}`;
}

async function momentOf(moment: Moment, bed: Bed, running: Running, chance: Chance): Promise<void> {
  if (moment === 'any time') return void (await Promise.race([sleep(chance.next() * 1500), running.ended]));
  const stage: Stage = moment === 'middle of a turn' ? moment : 'last answer of a turn';
  const reached = Promise.withResolvers<void>();
  bed.before = async (now) => {
    if (now !== stage) return;
    // It records nothing from here on, while its host ends the session.
    if (moment !== 'middle of a turn') send(running.pid, 'SIGSTOP');
    reached.resolve();
  };
  await Promise.race([reached.promise, running.ended]);
  if (moment === 'middle of a turn') return sleep(chance.next() * 40);
  const stepId = openSession(eventsOf(bed.place));
  const isGone = (): boolean => hostsOf(running.pid).length === 0 || !isAlive(running.pid);
  await until('the receipt', () => isGone() || finishedByReceipt(bed.place).some((one) => one === stepId), {
    stepMs: 2,
  });
}

/** What has to be the same however often the loop was killed. */
function progressOf(place: Place) {
  expect(runFolders(place)).toHaveLength(1);
  const events = eventsOf(place);
  expect(events.at(-1)).toMatchObject({ type: 'run-ended', outcome: 'completed' });
  const finished = sessionsOf(events).filter(({ result }) => result?.ending.kind === 'finished');
  const recorded = new Set(finished.map(({ stepId }) => stepId));
  return {
    actions: actionsIn(place),
    states: takenIn(place).map(({ state }) => state),
    messages: takenIn(place).map(({ message }) => message),
    tree: place.git('rev-parse', `${branchOf(place)}^{tree}`),
    finishedSessions: finished.length,
    lostReceipts: finishedByReceipt(place).filter((stepId) => !recorded.has(stepId)),
  };
}

async function tokensSpent(place: Place): Promise<number> {
  const { stdout } = await place.untildone(['status', '--json']);
  return (JSON.parse(stdout) as { spent: { tokens: number } }).spent.tokens;
}

function said(seed: number, kills: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const kill of kills) counts.set(kill, (counts.get(kill) ?? 0) + 1);
  const words = [...counts].map(([kill, count]) => `${kill} ${count}`).join('; ');
  return `kill -9 of the action loop: ${kills.length} kills (seed ${seed}): ${words}`;
}
