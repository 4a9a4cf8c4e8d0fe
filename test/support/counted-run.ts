// Runs the built program in a small repository, and records which processes it starts. Tests and a benchmark share it.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { findProgram } from '#adapters/processes/program.ts';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { type Start, startOf } from './started-process.ts';

export interface CountedScenario {
  readonly sandbox: 'none' | 'bubblewrap';
  /** The first attempt that passes. */
  readonly attempts: number;
  /** At most ten, which is the default. */
  readonly checks?: number;
  readonly hasReviewer?: boolean;
  /** How often the acceptance runs a check that turned green. */
  readonly acceptanceRuns?: number;
}

export interface CountedRun {
  /** Of the program; 0 if the run was completed. */
  readonly exitCode: number | null;
  /** Everything that the run wrote belongs to this folder. */
  readonly place: string;
  /** The first phase ends before the first session. Each other phase begins with the start of an agent. */
  readonly phases: readonly (readonly Start[])[];
}

export interface CountedPlace {
  /** An empty folder. */
  readonly place: string;
  /** The launcher of the built program. */
  readonly program: string;
}

const parts = Array.from({ length: 12 }, (_, number) => `scripts/part-${number}.sh`);
const files = {
  'package.json': JSON.stringify({ name: 'sum', scripts: { test: 'sh scripts/check.sh' } }),
  Makefile: 'check:\n\tsh scripts/check.sh\n',
  'scripts/check.sh': `#!/bin/sh\n${parts.map((part) => `sh ${part}`).join(' && ')}\n`,
  ...Object.fromEntries(parts.map((part, number) => [part, `#!/bin/sh\n# ${number}\ntest -s src/sum.js\n`])),
  'src/sum.js': 'export const sum = (a, b) => a + b;\n',
  'test/sum.test.js': "import { sum } from '../src/sum.js';\nif (sum(1, 2) !== 3) throw new Error('sum');\n",
  'README.md': 'A sample.\n',
};
/** The last one turns green. */
const allChecks = [
  ...Array.from({ length: 7 }, (_, number) => `test -s README.md # ${number}`),
  'sh scripts/check.sh',
  'grep -q sum package.json',
  'test -f done.txt',
];

export async function countedRun(
  scenario: CountedScenario,
  { place: folder, program }: CountedPlace,
): Promise<CountedRun> {
  const place = realpathSync(folder);
  const env = environmentOf(place, scenario);
  const root = makeRepository(place, env);
  writeSettings(place, scenario);
  const recorder = join(import.meta.dirname, 'record-starts.ts');
  const args = ['run', 'work', '--agent', 'small', '--cooldown', '0', '--no-setup'];
  const asked = allChecks.slice(-(scenario.checks ?? 10)).flatMap((check) => ['--check', check]);
  const child = spawn(process.execPath, ['--import', recorder, program, ...args, ...asked], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exitCode = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { exitCode, place, phases: phasesOf(readStarts(place)) };
}

const startsFile = (place: string): string => join(place, 'starts.jsonl');
/** Our sessions start it by this name. */
const agentFile = (place: string): string => join(place, 'agent', 'agent.sh');

function environmentOf(place: string, { sandbox }: CountedScenario): NodeJS.ProcessEnv {
  const home = join(place, 'home');
  mkdirSync(home);
  makeStubs(place);
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = User\n\temail = user@example.com\n');
  return {
    // The tools of the system alone: what else a person has installed must not change a number.
    PATH: [
      stubsFolder(place),
      ...new Set([...['git', 'sh', 'bwrap'].flatMap(folderOf), '/usr/bin', '/bin']),
    ].join(delimiter),
    HOME: home,
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    XDG_CONFIG_HOME: join(place, 'config'),
    XDG_STATE_HOME: join(place, 'state'),
    UNTILDONE_SANDBOX: sandbox,
    UNTILDONE_TEST_STARTS: startsFile(place),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    NO_COLOR: '1',
  };
}

const stubsFolder = (place: string): string => join(place, 'stubs');

/** A new home asks each package manager for its registry, which takes seconds and depends on the machine. */
function makeStubs(place: string): void {
  mkdirSync(stubsFolder(place));
  const questions = factsOf('machine')
    .flatMap((each) => each.registries ?? [])
    .flatMap((each) => each.questions ?? []);
  for (const [program] of questions) {
    writeFileSync(join(stubsFolder(place), program), '#!/bin/sh\n', { mode: 0o755 });
  }
}

function folderOf(program: string): string[] {
  const found = findProgram(program, process.env['PATH'], '/');
  return 'path' in found ? [dirname(found.path)] : [];
}

function makeRepository(place: string, env: NodeJS.ProcessEnv): string {
  const root = join(place, 'repository');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const git = (...args: string[]): void => {
    const { status, stderr } = spawnSync('git', args, { cwd: root, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  };
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'start');
  return root;
}

function writeSettings(
  place: string,
  { attempts, hasReviewer = false, acceptanceRuns = 1 }: CountedScenario,
): void {
  mkdirSync(dirname(agentFile(place)));
  const work = `printf x >> work.txt\nif [ "$(cat work.txt)" = ${'x'.repeat(attempts)} ]; then echo done > done.txt; fi`;
  const verdict = String.raw`printf '\n===VERIFIER_COMPLETE===\n'`;
  writeFileSync(
    agentFile(place),
    `if [ "$UNTILDONE_ROLE" = verifier ]; then ${verdict}; exit; fi\n${work}\n`,
  );
  const settings = {
    agents: {
      small: {
        driver: 'command',
        command: ['sh', agentFile(place)],
        ...(hasReviewer ? { verdicts: true } : {}),
      },
    },
    // Its cost belongs to the tests of a repository, not to a run.
    acceptance: { calibration: 'off' },
    // By default the number of runs depends on their duration.
    check: { flaky: { runs: acceptanceRuns, within: '10m' } },
  };
  mkdirSync(join(place, 'config', 'untildone'), { recursive: true });
  writeFileSync(join(place, 'config', 'untildone', 'config.jsonc'), JSON.stringify(settings));
}

function readStarts(place: string): Start[] {
  const lines = readFileSync(startsFile(place), 'utf8').trimEnd().split('\n');
  return lines.map((line) => startOf(JSON.parse(line) as string[]));
}

function phasesOf(starts: readonly Start[]): Start[][] {
  const phases: Start[][] = [[]];
  for (const start of starts) {
    if (start.command.some((word) => word.endsWith('/agent/agent.sh'))) phases.push([]);
    phases.at(-1)?.push(start);
  }
  return phases;
}
