// One campaign: planned, approved, killed and resumed until it ends; then what is left of it.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Event } from '#kernel/events/events.ts';
import type { Chance } from '#testing/faults/chance.ts';
import { followUp, goal, goalCheck, projectFiles } from './campaign-project.ts';
import { eventsOf, sessionsOf, startedSteps } from './journal.ts';
import { strike } from './kill-life.ts';
import { overlaps, readLedger } from './ledger.ts';
import { branchOf, newestRun } from './looking.ts';
import type { Running } from './package.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';
import { isAlive } from './processes.ts';
import { until } from './wait.ts';

export interface CampaignPlaceOptions {
  readonly agentAt?: (place: Place) => object;
  readonly isSandboxed?: boolean;
}

export function campaignPlace({
  agentAt = programAt,
  isSandboxed = false,
}: CampaignPlaceOptions = {}): Place {
  const place = makePlace({ files: projectFiles, isSandboxed });
  const agent = agentAt(place);
  place.write('ledger', '');
  // A host that is killed under an architect leaves no plan.
  configure(place, agent, { planTries: 20 });
  place.write('agent.json', JSON.stringify(agent));
  return place;
}

function configure(place: Place, agent: object, campaign: object): void {
  const settings = {
    agents: { one: agent, two: agent, three: agent, four: agent },
    routing: { fallbacks: ['two', 'three', 'four'] },
    sandbox: { allowWrite: [join(place.folder, 'ledger')] },
    campaign,
  };
  place.write('config/untildone/config.jsonc', JSON.stringify(settings));
}

function programAt({ folder }: Place): object {
  const program = join(import.meta.dirname, 'campaign-agent.ts');
  return {
    driver: 'command',
    command: [process.execPath, program, join(folder, 'ledger')],
    prompt: 'stdin',
  };
}

const plenty = 'sessions=500,usd=10000,tokens=10000M';
const common = ['--agent', 'one', '--check', goalCheck];

interface Act {
  readonly args: readonly string[];
  /** The rough number of steps without a kill: kills are spread over them. */
  readonly facts: number;
  readonly kills: number;
}

/** Ten tasks by the architect's plans. Returns how often it was killed. */
export function liveCampaign(place: Place, chance: Chance, kills: number): Promise<number> {
  const args = ['plan', goal, ...common, '--budget', plenty];
  return liveThrough(place, chance, { args, facts: 230, kills });
}

/** Then three more by a person's own plan, and no new one when a task fails: it ends blocked. */
export function liveFollowUp(place: Place, chance: Chance, kills: number): Promise<number> {
  configure(place, JSON.parse(place.read('agent.json')) as object, { replans: 0 });
  const file = place.write('more.json', JSON.stringify(followUp));
  const args = ['run', '--plan', file, '--yes', ...common, '--budget', `attempts=2,${plenty}`];
  return liveThrough(place, chance, { args, facts: 30, kills });
}

async function liveThrough(place: Place, chance: Chance, { args, facts, kills }: Act): Promise<number> {
  const before = runFolders(place).length;
  const moments = Array.from({ length: kills }, () => 2 + Math.floor(chance.next() * facts));
  moments.sort((a, b) => a - b);
  const events = (): readonly Event[] => (runFolders(place).length === before ? [] : eventsOf(place));
  let struck = 0;
  for (let starts = 0; starts < 60; starts += 1) {
    const next = runFolders(place).length === before ? args : ['resume'];
    const running = place.start(next, { isGroup: true });
    while (struck < moments.length && (await reached(events, running, moments[struck] ?? 0))) {
      await sleep(chance.next() * 40);
      if (isAlive(running.pid) && strike(running.pid, place, chance) !== null) struck += 1;
    }
    const { code, stderr } = await running.ended;
    if (events().at(-1)?.type === 'run-ended') return struck;
    if (code === 6) expect(await place.untildone(['approve'])).toMatchObject({ code: 0 });
    else if (code !== null) throw new Error(`exit ${code}: ${stderr}`);
  }
  throw new Error('a campaign without end');
}

/** False when the program ended before there were so many facts. */
async function reached(events: () => readonly Event[], running: Running, facts: number): Promise<boolean> {
  await until(`${facts} facts`, () => !isAlive(running.pid) || events().length >= facts, {
    sign: () => events().length,
  });
  return isAlive(running.pid);
}

export type History = Awaited<ReturnType<typeof historyOf>>;

/** What must be the same however often it was killed; and nothing may have gone wrong on the way. */
export async function historyOf(place: Place, runs: number) {
  expect(await wrongsOf(place, runs)).toEqual(nothing);
  const events = eventsOf(place);
  const { stdout } = await place.untildone(['plan', '--json', '--run', newestRun(place)]);
  const { version, tasks, dropped, history } = JSON.parse(stdout) as PlanFile;
  const controls = events.flatMap((event) => (event.type === 'control-received' ? [event.control.kind] : []));
  return {
    commits: place.git('log', '--reverse', '--format=%s %T', `main..${branchOf(place)}`).split('\n'),
    version,
    tasks: tasks.map(({ id, status }) => `${id} ${status}`),
    dropped,
    changes: history.map(({ added, changed, dropped: gone }) => ({ added, changed, dropped: gone })),
    milestones: events.flatMap((event) => (event.type === 'milestones-crossed' ? event.percents : [])),
    reflections: events.flatMap((event) =>
      event.type === 'drift-judged' && event.isFinal ? [`${event.percents.join()} ${event.reason}`] : [],
    ),
    controls: controls.filter((kind) => kind !== 'pause' && kind !== 'resume'),
    end: events.flatMap((event) =>
      event.type === 'run-ended' ? [{ outcome: event.outcome, reason: event.reason }] : [],
    ),
  };
}

interface PlanFile {
  readonly version: number;
  readonly tasks: readonly { readonly id: string; readonly status: string }[];
  readonly dropped: readonly object[];
  readonly history: readonly {
    readonly added: readonly string[];
    readonly changed: readonly string[];
    readonly dropped: readonly object[];
  }[];
}

const nothing = {
  paidTwice: [],
  startedTwice: [],
  overlapping: [],
  unended: [],
  alive: [],
  runs: [],
};

/** What must never happen, by the journal, the agents' own ledger and /proc: all of it empty. */
async function wrongsOf(place: Place, runs: number) {
  await until('nothing to be alive', () => place.living().length === 0).catch(() => {});
  const events = eventsOf(place);
  const taskOf = new Map(startedSteps(events).map(({ stepId, taskId }) => [stepId, taskId]));
  const paid = sessionsOf(events)
    .filter(({ result }) => result?.ending.kind === 'finished')
    .map(({ stepId, deed }) =>
      deed.role === 'builder' ? `${taskOf.get(stepId) ?? ''} ${deed.attempt}` : deed.prompt,
    );
  const ledger = readLedger(place);
  const starts = ledger.filter(({ what }) => what === 'start').map(({ mark }) => mark);
  const ended = new Set(
    events.flatMap((event) =>
      event.type === 'step-ended' || event.type === 'step-lost' ? [event.stepId] : [],
    ),
  );
  return {
    paidTwice: twice(paid),
    startedTwice: twice(starts),
    overlapping: overlaps(ledger),
    unended: startedSteps(events).filter(({ stepId }) => !ended.has(stepId)),
    alive: place.living(),
    runs: runFolders(place).slice(runs),
  };
}

function twice(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}
