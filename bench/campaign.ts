// Measures a plan of 1,000 tasks: each task costs no more than in a short plan, and memory stays small.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '#kernel/model/task.ts';
import type { PlayedCampaign } from '#test/simulated/played-campaign.ts';
import { planOf, playCampaign } from '#test/simulated/played-campaign.ts';
import { simulatedTask } from '#test/simulated/simulated-run.ts';
import { planJson } from '#views/plan/plan.ts';
import { stateJson } from '#views/status/state-json.ts';
import { watchDriver } from './memory.ts';
import type { Benchmark, BenchOptions, Line } from './measure.ts';
import { inFolder, median, sizeAt, timeMs } from './measure.ts';
import { exhausted, makeRepository, newestEvents, startProgram } from './program.ts';
import type { Repository } from './program.ts';

const rounds = 5;
const decisions = 1_000;
/** Sessions of the real program, one per task. */
const sessionsMax = 12;

export const campaign: Benchmark = async (options) => {
  const many = sizeAt(options.scale, 1_000, 100);
  const few = sizeAt(options.scale, 100, 20);
  return [
    await deciding(10, many),
    await deciding(10, many * 5),
    await living(few, many),
    ...(await keeping(few, many)),
    ...(await working(options, many)),
  ];
};

/** Half of the plan is done, its milestone is passed, and the next task has to be chosen. */
async function deciding(few: number, many: number): Promise<Line> {
  const runs = { few: halfDone(few), many: halfDone(many) };
  const times = { few: [] as number[], many: [] as number[] };
  // Both are warm before the first is timed.
  for (const played of Object.values(runs)) repeat(decisions * 20, () => played.decide());
  for (let round = 0; round < rounds * 3; round += 1)
    for (const size of ['few', 'many'] as const)
      times[size].push(await timeMs(() => repeat(decisions, () => runs[size].decide())));
  return {
    name: `choosing the next of ${counted(many)} tasks, against of ${few}`,
    measured: (median(times.many) * 1_000) / decisions,
    raw: (median(times.few) * 1_000) / decisions,
    unit: 'µs',
    gate: 1.5,
  };
}

function halfDone(count: number): PlayedCampaign {
  const played = play(count);
  const last = `T${Math.floor(count / 2) + 1}`;
  played.goOn(({ taskId, deed }) => taskId === last && deed.kind === 'commit');
  const [commit] = played.run.running.values();
  if (commit === undefined) throw new Error('the plan was not half done');
  played.endCommit(commit, 'c-half');
  if (played.decide().start.length === 0) throw new Error('nothing is left to choose');
  return played;
}

/** From the plan to its end, without side effects: every decision and every fact. */
async function living(few: number, many: number): Promise<Line> {
  const times = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    times.few.push((await timeMs(() => play(few).goOn())) / few);
    times.many.push((await timeMs(() => play(many).goOn())) / many);
  }
  return {
    name: `deciding and folding a task of ${counted(many)}, against of ${few}`,
    measured: median(times.many) * 1_000,
    raw: median(times.few) * 1_000,
    unit: 'µs',
    gate: 1.5,
  };
}

/** Storage: the journal grows equally with every task, and the views are made for all of them at once. */
async function keeping(few: number, many: number): Promise<Line[]> {
  const runs = { few: play(few), many: play(many) };
  for (const played of Object.values(runs)) played.goOn();
  const times = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round < rounds * 3; round += 1)
    for (const size of ['few', 'many'] as const) times[size].push(await timeMs(() => viewsOf(runs[size])));
  const kilobytes = ({ events }: PlayedCampaign, count: number): number =>
    JSON.stringify(events).length / 1_000 / count;
  return [
    {
      name: `journal of a task of ${counted(many)}, against of ${few}`,
      measured: kilobytes(runs.many, many),
      raw: kilobytes(runs.few, few),
      unit: 'kB',
      gate: 1.1,
    },
    {
      name: `a task's part in making state.json and plan.json of ${counted(many)}, against of ${few}`,
      measured: (median(times.many) * 1_000) / many,
      raw: (median(times.few) * 1_000) / few,
      unit: 'µs',
      aim: 1.5,
      note: 'they are made in a fiftieth of the time at most',
    },
  ];
}

function viewsOf({ run }: PlayedCampaign): number {
  return [stateJson(run), planJson(run)].map((view) => JSON.stringify(view, null, 2).length).length;
}

function play(count: number): PlayedCampaign {
  return playCampaign({
    plan: () => planOf(tasksUpTo(count)),
    planning: { milestones: [25, 50, 75] },
    budget: { sessions: 1e6, usd: 1e9, tokens: 1e15 },
  });
}

/** Ten rows of tasks, each depending on the one before it. */
function tasksUpTo(count: number): Task[] {
  return Array.from({ length: count }, (_, index) =>
    simulatedTask(`T${index + 1}`, { dependsOn: index < 10 ? [] : [`T${index - 9}`] }),
  );
}

function counted(count: number): string {
  return count.toLocaleString('en');
}

function repeat(times: number, act: () => unknown): void {
  for (let n = 0; n < times; n += 1) act();
}

interface Worked {
  /** From the command to the first session. */
  readonly startMs: number;
  readonly taskMs: number;
  readonly peakMb: number;
}

/** The real program works on the first tasks of a long plan and of a short one. */
async function working({ program, folder, scale }: BenchOptions, many: number): Promise<Line[]> {
  const seen: { readonly long: Worked[]; readonly short: Worked[] } = { long: [], short: [] };
  // A quarter of them is more than there are sessions: a milestone would take one.
  const few = sizeAt(scale, 50, 16);
  const sessions = sizeAt(scale, sessionsMax, 3);
  await inFolder(folder, async (place) => {
    for (let round = 0; round < sizeAt(scale, 2, 1); round += 1) {
      seen.short.push(await work(place, program, { count: few, sessions }));
      seen.long.push(await work(place, program, { count: many, sessions }));
    }
  });
  const line = (name: string, of: (one: Worked) => number): Line => ({
    name,
    measured: median(seen.long.map(of)),
    raw: median(seen.short.map(of)),
    unit: 'ms',
    aim: 1.3,
    note: 'agent and checks are shell commands',
  });
  return [
    line(`a task of ${counted(many)} planned, by the program, against of ${few}`, ({ taskMs }) => taskMs),
    line(
      `from the command to the first session, plan of ${counted(many)} against of ${few}`,
      ({ startMs }) => startMs,
    ),
    {
      name: `peak memory of the driver with ${counted(many)} tasks`,
      measured: Math.max(...seen.long.map(({ peakMb }) => peakMb)),
      raw: null,
      unit: 'MB',
      gate: 200,
    },
  ];
}

async function work(
  place: string,
  program: string,
  { count, sessions }: { readonly count: number; readonly sessions: number },
): Promise<Worked> {
  const home = join(place, 'home');
  mkdirSync(home);
  const repository = makeRepository(home);
  const plan = join(home, 'plan.json');
  const agent = join(home, 'agent.sh');
  writeFileSync(plan, JSON.stringify({ goal: 'many files', tasks: writtenTasks(count) }));
  writeFileSync(
    agent,
    'id=$(sed -n "s/^## Task: //p"); echo right > "$id.txt"\necho; echo "===TASK_COMPLETE==="\n',
  );
  const flags = ['--yes', '--no-setup', '--agent', `command:sh ${agent}`, '--budget', `sessions=${sessions}`];
  const startedAt = Date.now();
  const child = startProgram(program, repository, ['run', '--plan', plan, ...flags]);
  const watch = watchDriver(child.pid ?? 0);
  await exhausted(child);
  const worked = { ...timesOf(repository, { startedAt, sessions }), peakMb: watch.stop() };
  rmSync(home, { recursive: true });
  return worked;
}

function timesOf(
  repository: Repository,
  { startedAt, sessions }: { readonly startedAt: number; readonly sessions: number },
): Omit<Worked, 'peakMb'> {
  const events = newestEvents(repository);
  const commits = events.flatMap((event) =>
    event.type === 'step-ended' && event.result.kind === 'commit' ? [event.at] : [],
  );
  const [first = 0] = commits;
  const last = commits.at(-1) ?? 0;
  const session = events.find((event) => event.type === 'step-started' && event.step.deed.kind === 'session');
  if (commits.length < sessions || session === undefined) throw new Error('the program did not do its tasks');
  return { startMs: session.at - startedAt, taskMs: (last - first) / (commits.length - 1) };
}

function writtenTasks(count: number): object[] {
  return tasksUpTo(count).map(({ id, dependsOn }) => ({
    id,
    title: id,
    dependsOn,
    exitCriteria: [{ text: `${id} is written`, check: `grep -q right ${id}.txt` }],
  }));
}
