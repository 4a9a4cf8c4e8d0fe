// Measures what a map saves and costs: tokens against the code, time against repomix, memory on 10,000 files.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cost, costLines, costOf, goal, roundsOf, start } from './map-again.ts';
import { notFetched, treesIn } from './map-trees.ts';
import { peakKb, quietly } from './memory.ts';
import type { Benchmark, Limits, Line } from './measure.ts';
import { inFolder, sizeAt } from './measure.ts';
import type { Repository } from './program.ts';
import { makeRepository } from './program.ts';

const repomixVersion = '1.18.1';

export const map: Benchmark = ({ folder, program, scale }) =>
  inFolder(folder, async (place) => {
    const trees = treesIn(place, scale);
    const repomix = installRepomix(place);
    const lines: Line[] = trees.flatMap(({ name, tree }) => tokenLines(name, tree, program));
    for (const { name, tree } of trees)
      lines.push(...(await firstLines(name, { tree, program, repomix, rounds: roundsOf(scale) })));
    return [...lines, await memoryLine(place, program, sizeAt(Math.min(1, scale), 10_000, 200))];
  });

interface Answer {
  readonly tokens: number;
  readonly codeTokens: number;
}

function tokenLines(name: string, tree: Repository | null, program: string): Line[] {
  const line = (what: string, limits: Limits, answer: Answer | null): Line => ({
    name: `${what} of ${name}, against its code without tests`,
    measured: answer?.tokens ?? null,
    raw: answer?.codeTokens ?? null,
    unit: 'tokens',
    ...limits,
    ...(answer === null ? { note: notFetched } : {}),
  });
  const ask = (...more: string[]): Answer | null => (tree === null ? null : askMap(tree, program, more));
  return [
    line('all signatures', { aim: 0.1 }, ask('--tokens', 'all')),
    line('the map', { gate: 0.1 }, ask()),
  ];
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

interface Timing {
  readonly tree: Repository | null;
  readonly program: string;
  readonly repomix: string | null;
  readonly rounds: number;
}

/** First maps and repomix alternate, so that a busy machine slows both. */
async function firstLines(name: string, { tree, program, repomix, rounds }: Timing): Promise<Line[]> {
  const first: Cost[] = [];
  const packed: Cost[] = [];
  for (let round = 0; tree !== null && repomix !== null && round < rounds; round += 1) {
    rmSync(tree.stateHome, { recursive: true, force: true });
    first.push(await costOf(() => start([program, 'map', '--stats', goal], tree)));
    packed.push(await costOf(() => start(pack(repomix, tree), tree)));
  }
  const missing = repomix === null ? `repomix ${repomixVersion} could not be installed` : notFetched;
  return costLines(`first map of ${name}, against repomix --compress`, {
    gate: 0.2,
    measured: first,
    raw: packed,
    missing,
  });
}

function pack(repomix: string, tree: Repository): string[] {
  return [repomix, '.', '--compress', '--quiet', '--output', `${tree.root}-packed.xml`];
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

/** One process collects what several read: more files must not need more memory, beyond the facts of each. */
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
    measured,
    raw: null,
    unit: 'MB',
    gate: memoryMaxMb,
  };
}

async function peakMb(program: string, { root, env }: Repository): Promise<number> {
  const child = spawn(process.execPath, [program, 'map', '--stats', goal], {
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
