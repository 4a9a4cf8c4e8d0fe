// What a map saves and costs: tokens against the code, time against repomix, memory on ten thousand files.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fetchTree, packages, repositoryOf } from './map-trees.ts';
import type { Benchmark, Line } from './measure.ts';
import { inFolder, median, timeMs } from './measure.ts';
import type { Repository } from './program.ts';
import { makeRepository } from './program.ts';

const repomixVersion = '1.18.1';
const rounds = 3;

export const map: Benchmark = ({ folder, program, scale }) =>
  inFolder(folder, async (place) => {
    const own = join(place, 'own');
    mkdirSync(own);
    const tracked = join(own, 'tracked');
    const here = resolve(import.meta.dirname, '..');
    spawnSync('git', ['clone', '-q', '--depth', '1', `file://${here}`, tracked]);
    rmSync(join(tracked, '.git'), { recursive: true });
    const trees: { readonly name: string; readonly tree: Repository | null }[] = [
      { name: 'this repository', tree: repositoryOf(own, tracked) },
      ...packages.map((one) => ({ name: one.name, tree: fetchTree(place, one) })),
    ];
    const repomix = installRepomix(place);
    const lines: Line[] = trees.flatMap(({ name, tree }) => tokenLines(name, tree, program));
    for (const { name, tree } of trees.slice(0, scale < 1 ? 1 : trees.length)) {
      lines.push(...(await timeLines(name, tree, { program, repomix })));
    }
    return [...lines, await memoryLine(place, program, Math.round(10_000 * Math.min(1, scale)))];
  });

interface Answer {
  readonly tokens: number;
  readonly codeTokens: number;
}

function tokenLines(name: string, tree: Repository | null, program: string): Line[] {
  const line = (what: string, kind: Line['kind'], answer: Answer | null): Line => ({
    name: `${what} of ${name}, against its code without tests`,
    kind,
    measured: answer?.tokens ?? null,
    raw: answer?.codeTokens ?? null,
    unit: 'tokens',
    limit: 0.1,
    ...(answer === null ? { note: 'the package could not be fetched' } : {}),
  });
  const ask = (...more: string[]): Answer | null => (tree === null ? null : askMap(tree, program, more));
  return [line('all signatures', 'aim', ask('--tokens', 'all')), line('the map', 'gate', ask())];
}

function askMap({ root, env }: Repository, program: string, more: readonly string[]): Answer {
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, 'map', '--json', ...more], {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Answer;
}

interface Programs {
  readonly program: string;
  readonly repomix: string | null;
}

/** First maps and repomix take turns, so that a machine that is busy is busy for both. */
async function timeLines(
  name: string,
  tree: Repository | null,
  { program, repomix }: Programs,
): Promise<Line[]> {
  const times = { cold: [] as number[], warm: [] as number[], repomix: [] as number[] };
  for (let round = 0; tree !== null && round < rounds; round += 1) {
    const changed = changeableIn(tree);
    rmSync(tree.stateHome, { recursive: true, force: true });
    times.cold.push(await timeMs(() => start([program, 'map', '--stats', 'x'], tree)));
    if (repomix !== null) times.repomix.push(await timeMs(() => start(pack(repomix, tree), tree)));
    appendFileSync(join(tree.root, changed), '\n');
    times.warm.push(await timeMs(() => start([program, 'map', '--stats', 'x'], tree)));
  }
  const note = tree === null ? { note: 'the package could not be fetched' } : {};
  const missing = repomix === null ? { note: `repomix ${repomixVersion} could not be installed` } : note;
  const of = (list: readonly number[]): number | null => (list.length === 0 ? null : median(list));
  const [cold, warm, raw] = [of(times.cold), of(times.warm), of(times.repomix)];
  return [
    {
      name: `first map of ${name}, against repomix --compress`,
      kind: 'gate',
      measured: raw === null ? null : cold,
      raw,
      unit: 'ms',
      limit: 0.2,
      ...missing,
    },
    {
      name: `map of ${name} after one change, against the first`,
      kind: isLarge(tree) ? 'gate' : 'aim',
      measured: warm,
      raw: cold,
      unit: 'ms',
      limit: 0.05,
      ...note,
    },
  ];
}

/** Where a first map takes no longer than a few starts of a program, no second one can be twenty times as fast. */
function isLarge(tree: Repository | null): boolean {
  return tree !== null && Number(tree.git('ls-files').split('\n').length) > 2_000;
}

function changeableIn(tree: Repository): string {
  const [first = ''] = tree.git('ls-files', '*.ts', '*.py', '*.go', '*.rs', '*.java').split('\n').slice(-1);
  return first;
}

function pack(repomix: string, tree: Repository): string[] {
  return [repomix, '.', '--compress', '--quiet', '--output', `${tree.root}-packed.xml`];
}

function start(args: readonly string[], { root, env }: Repository): void {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
}

function installRepomix(place: string): string | null {
  const home = join(place, 'repomix');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{}');
  spawnSync('npm', ['install', `repomix@${repomixVersion}`, '--no-audit', '--no-fund'], {
    cwd: home,
    stdio: 'ignore',
  });
  const file = join(home, 'node_modules/repomix/bin/repomix.cjs');
  return existsSync(file) ? file : null;
}

/** One process takes what several read: more files must not mean more memory, beyond what is known of each. */
const memoryMaxMb = 700;

async function memoryLine(place: string, program: string, files: number): Promise<Line> {
  const home = join(place, 'many');
  mkdirSync(home);
  const tree = makeRepository(home);
  for (let at = 0; at < files; at += 1) {
    const folder = join(tree.root, `part${at % 100}`);
    mkdirSync(folder, { recursive: true });
    const body = `export function f${at}(a: string): void {\n${'  work(a);\n'.repeat(200)}}\n`;
    writeFileSync(join(folder, `f${at}.ts`), body);
  }
  const measured = await peakMb(program, tree);
  return {
    name: `memory for a map of ${files} files, all processes together`,
    kind: 'gate',
    measured,
    raw: null,
    unit: 'MB',
    limit: memoryMaxMb,
  };
}

async function peakMb(program: string, { root, env }: Repository): Promise<number> {
  const child = spawn(process.execPath, [program, 'map', '--stats', 'x'], {
    cwd: root,
    env,
    stdio: 'ignore',
  });
  const seen = new Map<number, number>();
  const timer = setInterval(() => {
    for (const pid of [child.pid ?? 0, ...childrenOf(child.pid ?? 0)])
      seen.set(pid, Math.max(seen.get(pid) ?? 0, peakKb(pid)));
  }, 20);
  await new Promise((resolveEnd) => child.once('close', resolveEnd));
  clearInterval(timer);
  return [...seen.values()].reduce((sum, kb) => sum + kb, 0) / 1024;
}

function childrenOf(pid: number): number[] {
  return quietly(`/proc/${pid}/task/${pid}/children`)
    .trim()
    .split(' ')
    .filter((one) => one !== '')
    .map(Number);
}

function peakKb(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(quietly(`/proc/${pid}/status`))?.[1] ?? 0);
}

function quietly(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
