// Measures an agent that prints a gigabyte with one line of 20 MB: memory, what the log keeps, time.
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  createReadStream,
  globSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Event } from '#kernel/events/events.ts';
import { watchMemory } from './memory.ts';
import type { Benchmark, Line } from './measure.ts';
import { inFolder, median, sizeAt, timeMs } from './measure.ts';
import type { Repository } from './program.ts';
import { exhausted, makeRepository, newestEvents, oneAttempt, startProgram, writeAgents } from './program.ts';

const roundsMax = 3;
/** With room before and after the long line. */
const megabytesMin = 48;

export const flood: Benchmark = ({ folder, program, scale }) =>
  inFolder(folder, async (place) => {
    const file = join(place, 'flood.txt');
    writeFlood(file, sizeAt(scale, 1_024, megabytesMin));
    const seen = { catMs: [] as number[], sessionMs: [] as number[], peakMb: [] as number[], different: 0 };
    for (let round = 0; round < sizeAt(scale, roundsMax, 1); round += 1) {
      const home = join(place, `round-${round}`);
      mkdirSync(home);
      // The same agent, through a pipe as well: between two files `cat` copies nothing, it links blocks.
      const shell = ['-c', 'cat "$1" | cat > "$2"', 'sh', file, join(home, 'copy')];
      seen.catMs.push(await timeMs(() => execFileSync('sh', shell)));
      rmSync(join(home, 'copy'));
      const { repository, peakMb } = await runFlood(home, file, program);
      seen.peakMb.push(peakMb);
      seen.sessionMs.push(sessionMs(newestEvents(repository)));
      if (!(await keepsBothEnds(repository, file))) seen.different += 1;
      rmSync(home, { recursive: true });
    }
    return linesOf(seen);
  });

function linesOf(seen: {
  catMs: number[];
  sessionMs: number[];
  peakMb: number[];
  different: number;
}): Line[] {
  const name = 'an agent that prints 1 GB';
  return [
    {
      name: `${name}: peak memory of driver and host`,
      measured: Math.max(...seen.peakMb),
      raw: null,
      unit: 'MB',
      gate: 200,
    },
    {
      name: `${name}: logs without the beginning or the end of what it printed`,
      measured: seen.different,
      raw: null,
      unit: 'logs',
      gate: 0,
    },
    {
      name: `${name}: session, against the agent piped through \`cat\` into a file`,
      measured: median(seen.sessionMs),
      raw: median(seen.catMs),
      unit: 'ms',
      gate: 3,
      aim: 2,
    },
  ];
}

async function runFlood(
  home: string,
  file: string,
  program: string,
): Promise<{ readonly repository: Repository; readonly peakMb: number }> {
  const repository = makeRepository(home);
  const flood = { driver: 'command', command: ['cat', file], prompt: 'stdin', verdicts: true };
  writeAgents(repository, { flood });
  const child = startProgram(program, repository, ['run', 'print', '--agent', 'flood', ...oneAttempt]);
  const watch = watchMemory(child.pid ?? 0);
  await exhausted(child);
  return { repository, peakMb: watch.stop() };
}

function sessionMs(events: readonly Event[]): number {
  const started = events.find((event) => event.type === 'step-started' && event.step.deed.kind === 'session');
  const ended = events.find((event) => event.type === 'step-ended' && event.result.kind === 'session');
  if (started === undefined || ended === undefined) throw new Error('the run had no session');
  return ended.at - started.at;
}

/** Whether its log has the first and last output, byte for byte, and names what is missing between. */
async function keepsBothEnds({ root }: Repository, printed: string): Promise<boolean> {
  const [log = ''] = globSync(join(root, '.untildone/runs/*/logs/builder_*.jsonl'));
  const ends: [Buffer[], Buffer[]] = [[], []];
  let leftOut = 0;
  for await (const line of createInterface({ input: createReadStream(log) })) {
    const { type, text = '' } = JSON.parse(line) as { readonly type: string; readonly text?: string };
    const missing = type === 'notice' ? /^(\d+) bytes were left out here/.exec(text)?.[1] : undefined;
    if (missing !== undefined) leftOut = Number(missing);
    if (type === 'text') ends[leftOut === 0 ? 0 : 1].push(Buffer.from(text));
  }
  const [head, tail] = [Buffer.concat(ends[0]), Buffer.concat(ends[1])];
  const { size } = statSync(printed);
  const isSame = readAt(printed, 0, head.length).equals(head);
  return isSame && leftOut > 0 && readAt(printed, size - tail.length, tail.length).equals(tail);
}

function readAt(file: string, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, bytes, 0, length, position);
  closeSync(descriptor);
  return bytes;
}

function writeFlood(file: string, megabytes: number): void {
  const mega = 1 << 20;
  const block = Buffer.from(
    'It read the file again, changed a line, ran the tests and was not pleased by them.\n'.repeat(12_634),
  ).subarray(0, mega);
  block[mega - 1] = 0x0a;
  const unbroken = Buffer.alloc(mega, 'x');
  const descriptor = openSync(file, 'w');
  for (let n = 0; n < megabytes; n += 1) {
    const isLongLine = n >= megabytes >> 1 && n < (megabytes >> 1) + 20;
    const piece = isLongLine ? unbroken : block;
    writeSync(descriptor, piece);
  }
  closeSync(descriptor);
}
