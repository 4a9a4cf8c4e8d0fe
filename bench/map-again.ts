// Measures a second map after one file changed, against the first map of the same tree and a full parse.
import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { notFetched, treesIn } from './map-trees.ts';
import type { Benchmark, Limits, Line } from './measure.ts';
import { inFolder, median, sizeAt, timeMs } from './measure.ts';
import type { Repository } from './program.ts';

/** Words that are in every tree, so that ranking has something to do. */
export const goal = 'read the lines of a file and close it when they end';

export function roundsOf(scale: number): number {
  return scale < 1 ? 1 : 3;
}

export const mapAgain: Benchmark = ({ folder, program, scale }) =>
  inFolder(folder, async (place) => {
    const lines: Line[] = [];
    for (const { name, tree } of treesIn(place, scale))
      lines.push(...(await secondLines(name, tree, { program, scale })));
    return lines;
  });

/** Several second maps for each first one: they are short compared with a tick of processor time. */
const changesMax = 5;

/** The parser is needed for what others may see, not for the inside of a body. */
const kinds = ['change of the outline', 'change inside of a body'] as const;

async function secondLines(
  name: string,
  tree: Repository | null,
  { program, scale }: { readonly program: string; readonly scale: number },
): Promise<Line[]> {
  const all: Cost[] = [];
  const first: Cost[] = [];
  const second = kinds.map((): Cost[] => []);
  for (let round = 0; tree !== null && round < roundsOf(scale); round += 1) {
    const map = (...more: string[]): void => start([program, 'map', '--stats', ...more, goal], tree);
    const anew = (...more: string[]): Promise<Cost> => {
      rmSync(tree.stateHome, { recursive: true, force: true });
      return costOf(() => map(...more));
    };
    all.push(await anew('--tokens', 'all'));
    first.push(await anew());
    for (const [at, kind] of kinds.entries()) {
      for (let change = 0; change < sizeAt(scale, changesMax, 1); change += 1) {
        changeIn(tree, kind);
        second[at]?.push(await costOf(map));
      }
    }
  }
  return kinds.flatMap((kind, at) => {
    const after = `map of ${name} after one ${kind}`;
    // Aims: a first map takes no longer than a few starts of a program, so no second one can be twenty times as fast.
    const how = { aim: 0.05, measured: second[at] ?? [], missing: notFetched } as const;
    return [
      ...costLines(`${after}, against a first one of everything`, { ...how, raw: all }),
      ...costLines(`${after}, against the first`, { ...how, raw: first }),
    ];
  });
}

const inBody = /\n([ \t]+)return\b/;

/** In our own code: a map only names vendored files and tests. */
function changeIn(tree: Repository, kind: (typeof kinds)[number]): void {
  const files = tree.git('ls-files', '*.ts', '*.py', '*.go', '*.rs', '*.java').split('\n');
  const own = files.filter((path) => !/(^|\/)(vendor|testdata|tests?|cmd)\/|test/i.test(path));
  const textOf = (path: string): string => readFileSync(join(tree.root, path), 'utf8');
  // One more line counts as a change of the outline: the parser has to run.
  if (kind === 'change of the outline') appendFileSync(join(tree.root, own[0] ?? ''), '\n');
  else {
    const path = own.find((one) => inBody.test(textOf(one))) ?? '';
    writeFileSync(join(tree.root, path), textOf(path).replace(inBody, '\n$1more();\n$1return'));
  }
}

export function start(args: readonly string[], { root, env }: Repository): void {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
}

export interface Cost {
  readonly wallMs: number;
  /** Of the program and all processes that it waited for; null if the system does not report it. */
  readonly cpuMs: number | null;
}

export async function costOf(act: () => void): Promise<Cost> {
  const before = childrenCpuMs();
  const wallMs = await timeMs(act);
  const after = childrenCpuMs();
  return { wallMs, cpuMs: before === null || after === null ? null : after - before };
}

/** Linux counts in hundredths of a second. */
const msPerTick = 10;

function childrenCpuMs(): number | null {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) * msPerTick;
  } catch {
    return null;
  }
}

interface Compared extends Limits {
  readonly measured: readonly Cost[];
  readonly raw: readonly Cost[];
  /** The note if nothing was measured. */
  readonly missing: string;
}

/** Wall time, and processor time, which is more reliable on a busy machine. */
export function costLines(name: string, { measured, raw, missing, ...limits }: Compared): Line[] {
  const line = (what: string, of: (cost: Cost) => number | null, lineLimits: Limits): Line => {
    const isMissing = measured.length === 0 || measured.some((cost) => of(cost) === null);
    const middle = (costs: readonly Cost[]): number | null =>
      isMissing ? null : median(costs.map((cost) => of(cost) ?? 0));
    return {
      name: `${name}${what}`,
      measured: middle(measured),
      raw: middle(raw),
      unit: 'ms',
      ...lineLimits,
      ...(isMissing ? { note: measured.length === 0 ? missing : 'the system does not say' } : {}),
    };
  };
  // Processor time has aims alone.
  const aim = limits.aim ?? limits.gate;
  return [
    line('', ({ wallMs }) => wallMs, limits),
    line(', processor time', ({ cpuMs }) => cpuMs, aim === undefined ? {} : { aim }),
  ];
}
