// Measures what verification costs an honest agent, against running the same checks by hand.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '#kernel/events/events.ts';
import type { Benchmark, Line } from './measure.ts';
import { inFolder, median, sizeAt, timeMs } from './measure.ts';
import type { Repository } from './program.ts';
import { completed, makeRepository, newestEvents, startProgram, writeSettings } from './program.ts';

const roundsMax = 3;
/** As long as a small suite; they sleep, so that a busy machine does not change their duration. */
const checkSeconds = 6;
/** Shorter ones are repeated at the acceptance. */
const checkSecondsMin = 2;
const files = 500;

export const verification: Benchmark = ({ folder, program, scale }) =>
  inFolder(folder, async (place) => {
    const seconds = sizeAt(Math.min(scale, 1), checkSeconds, checkSecondsMin);
    const checks = [`sleep ${seconds} && grep -q right work.txt`, 'test -s README.md'];
    const times = {
      attempt: [] as number[],
      acceptance: [] as number[],
      all: [] as number[],
      raw: [] as number[],
    };
    for (let round = 0; round < sizeAt(scale, roundsMax, 1); round += 1) {
      const repository = makeHome(place, String(round), { calibration: 'off' });
      times.raw.push(await byHand(repository, checks));
      const seen = await runHonest(repository, program, checks);
      times.attempt.push(seen.attempt);
      times.acceptance.push(seen.acceptance);
      times.all.push(seen.all);
    }
    const raw = median(times.raw);
    const note = `checks of ${seconds} s, ${files} files, nothing to install`;
    const line = (name: string, measured: readonly number[]): Line => {
      return { name, measured: median(measured), raw, unit: 'ms', aim: 1.3, note };
    };
    return [
      line('looking at an attempt, against its checks alone', times.attempt),
      line('acceptance on a clean checkout, against its checks alone', times.acceptance),
      line(
        'from the end of the work to completed (attempt and acceptance), against its checks once',
        times.all,
      ),
      ...(await calibrationLines(place, program, { seconds, rounds: sizeAt(scale, roundsMax, 1) })),
    ];
  });

/** The same work in the same repository, with and without calibration, in turns. */
async function calibrationLines(
  place: string,
  program: string,
  { seconds, rounds }: { readonly seconds: number; readonly rounds: number },
): Promise<Line[]> {
  const times = { auto: [] as number[], off: [] as number[] };
  const runs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const calibration of ['off', 'auto'] as const) {
      const repository = makeHome(place, `${calibration}-${round}`, { calibration });
      addTest(repository, seconds);
      times[calibration].push((await runHonest(repository, program, ['node --test'])).all);
      if (calibration === 'auto') runs.push(calibrationRuns(newestEvents(repository)));
    }
  }
  const note = `one test file of ${seconds} s, red on the base`;
  return [
    {
      name: 'from the end of the work to completed with calibration, against without',
      measured: median(times.auto),
      raw: median(times.off),
      unit: 'ms',
      aim: 2.5,
      note,
    },
    {
      name: 'runs of a check that calibration adds',
      measured: Math.max(...runs),
      raw: null,
      unit: 'runs',
      gate: 3,
      note,
    },
  ];
}

/** As recorded with the evidence; repeats of short checks depend on their duration and are not counted. */
function calibrationRuns(events: readonly Event[]): number {
  const calibrated = events.flatMap((event) =>
    event.type === 'evidence-recorded' ? [event.evidence.calibration ?? []] : [],
  );
  return Math.max(0, ...calibrated.map((all) => all.reduce((sum, { runs }) => sum + runs, 0)));
}

function addTest(repository: Repository, seconds: number): void {
  const lines = [
    "import assert from 'node:assert';",
    "import { test } from 'node:test';",
    "import { setTimeout } from 'node:timers/promises';",
    "import { work } from './work.mjs';",
    '',
    "test('the work is right', async () => {",
    `  await setTimeout(${seconds * 1_000});`,
    "  assert.equal(work, 'right');",
    '});',
  ];
  writeFileSync(join(repository.root, 'work.mjs'), "export const work = 'wrong';\n");
  writeFileSync(join(repository.root, 'work.test.mjs'), `${lines.join('\n')}\n`);
  repository.git('add', '.');
  repository.git('commit', '-q', '-m', 'a test');
}

function makeHome(place: string, name: string, acceptance: object = {}): Repository {
  const home = join(place, name);
  mkdirSync(home);
  const repository = makeRepository(home);
  mkdirSync(join(repository.root, 'src'));
  for (let n = 0; n < files; n += 1)
    writeFileSync(join(repository.root, 'src', `${n}.js`), `export const n = ${n};\n`.repeat(50));
  repository.git('add', '.');
  repository.git('commit', '-q', '-m', 'files');
  const script = join(home, 'agent.sh');
  writeFileSync(
    script,
    'if [ "$UNTILDONE_ROLE" = builder ]; then echo right > work.txt; echo "export const work = \'right\';" > work.mjs; fi\nprintf "\\n===WIGGUM_COMPLETE===\\n===VERIFIER_COMPLETE===\\n"\n',
  );
  writeSettings(repository, {
    agents: { honest: { driver: 'command', command: ['sh', script], prompt: 'stdin', verdicts: true } },
    acceptance,
  });
  return repository;
}

async function byHand({ root, env }: Repository, checks: readonly string[]): Promise<number> {
  writeFileSync(join(root, 'work.txt'), 'right\n');
  const took = await timeMs(() => {
    for (const check of checks) execFileSync('sh', ['-c', check], { cwd: root, env });
  });
  execFileSync('rm', [join(root, 'work.txt')]);
  return took;
}

async function runHonest(repository: Repository, program: string, checks: readonly string[]) {
  const flags = ['--agent', 'honest', '--cooldown', '0', '--no-setup'];
  const wanted = checks.flatMap((check) => ['--check', check]);
  await completed(startProgram(program, repository, ['run', 'work', ...flags, ...wanted]));
  return timesOf(newestEvents(repository));
}

/** The reviewer's own session is an agent's time, not ours. */
function timesOf(events: readonly Event[]): { attempt: number; acceptance: number; all: number } {
  const spans = events.flatMap((event) => {
    if (event.type !== 'step-started') return [];
    const { stepId, deed } = event.step;
    const end = events.find((each) => each.type === 'step-ended' && each.stepId === stepId);
    return end === undefined ? [] : [{ deed, from: event.at, to: end.at }];
  });
  const sessions = spans.filter(({ deed }) => deed.kind === 'session');
  const checkEnd = (purpose: string): number =>
    spans.find(({ deed }) => deed.kind === 'check' && deed.purpose === purpose)?.to ?? Number.NaN;
  const builtAt = sessions[0]?.to ?? Number.NaN;
  const reviewedAt = sessions.at(-1)?.to ?? Number.NaN;
  const endedAt = events.at(-1)?.at ?? Number.NaN;
  const reviewMs = sessions.slice(1).reduce((sum, { from, to }) => sum + to - from, 0);
  return {
    attempt: checkEnd('attempt') - builtAt,
    acceptance: checkEnd('acceptance') - reviewedAt,
    all: endedAt - builtAt - reviewMs,
  };
}
