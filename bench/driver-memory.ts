// Measures a long session: the host's memory for 100 MB of messages must not exceed that for 10 MB.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFloodingEndpoint } from './flooding-endpoint.ts';
import { watchHosts } from './memory.ts';
import type { Benchmark, BenchOptions, Line } from './measure.ts';
import { inFolder, median, sizeAt } from './measure.ts';
import { exhausted, makeRepository, newestEvents, oneAttempt, startProgram, writeAgents } from './program.ts';
import type { Repository } from './program.ts';

/** Peaks hardly differ from round to round. */
const roundsMax = 2;
const mega = 1 << 20;
const peer = join(import.meta.dirname, 'flooding-peer.ts');

interface Flooding {
  readonly name: string;
  /** Settings of an agent whose client prints this many bytes. */
  agent(bytes: number, home: string): object | Promise<object>;
}

export const driverMemory: Benchmark = (options) =>
  inFolder(options.folder, async (place) => {
    const endpoint = await openFloodingEndpoint();
    const drivers: readonly Flooding[] = [
      {
        name: 'claude',
        agent: (bytes, home) => ({
          driver: 'claude',
          asRoot: 'allow',
          binary: program(home, 'claude', bytes),
        }),
      },
      {
        name: 'codex',
        agent: (bytes, home) => ({
          driver: 'codex',
          via: 'app-server',
          binary: program(home, 'codex', bytes),
        }),
      },
      {
        name: 'acp',
        agent: (bytes) => ({ driver: 'acp', command: [process.execPath, peer, 'acp', String(bytes)] }),
      },
      {
        name: 'command (gemini)',
        agent: (bytes) => ({
          driver: 'command',
          command: [process.execPath, peer, 'gemini', String(bytes)],
          prompt: 'stdin',
          output: 'gemini',
        }),
      },
      {
        name: 'openai',
        agent: (bytes) => ({ driver: 'openai', model: 'flood', baseUrl: endpoint.urlFor(bytes) }),
      },
    ];
    const lines: Line[] = [];
    for (const driver of drivers) lines.push(...(await measureDriver(driver, place, options)));
    await endpoint.close();
    return lines;
  });

async function measureDriver(
  driver: Flooding,
  place: string,
  { program: launcher, scale }: BenchOptions,
): Promise<Line[]> {
  const peaks = { idle: [] as number[], short: [] as number[], long: [] as number[] };
  const bytes = {
    idle: 0,
    short: sizeAt(scale, 10 * mega, mega / 8),
    // More than one turn of the endpoint.
    long: sizeAt(scale, 100 * mega, 2 * mega),
  };
  for (let round = 0; round < sizeAt(scale, roundsMax, 1); round += 1) {
    for (const length of ['idle', 'short', 'long'] as const) {
      const home = join(place, 'home');
      mkdirSync(home);
      const agent = await driver.agent(bytes[length], home);
      peaks[length].push(await peakOf(makeRepository(home), agent, launcher));
      rmSync(home, { recursive: true });
    }
  }
  return linesOf(driver.name, peaks);
}

function linesOf(
  name: string,
  peaks: { readonly idle: number[]; readonly short: number[]; readonly long: number[] },
): Line[] {
  const growth = Math.max(...peaks.long) - median(peaks.idle);
  return [
    {
      name: `${name}: growth of the host over 100 MB of messages`,
      measured: growth,
      raw: null,
      unit: 'MB',
      gate: 80,
    },
    {
      name: `${name}: peak memory of the host over 100 MB, against over 10 MB`,
      measured: median(peaks.long),
      raw: median(peaks.short),
      unit: 'MB',
      gate: 1.4,
    },
  ];
}

async function peakOf(repository: Repository, agent: object, launcher: string): Promise<number> {
  writeAgents(repository, { flood: agent });
  const child = startProgram(launcher, repository, ['run', 'talk', '--agent', 'flood', ...oneAttempt]);
  const watch = watchHosts(child.pid ?? 0);
  await exhausted(child);
  refuseOtherEnd(repository);
  return watch.stop();
}

/** A session that did not end well did not read everything. */
function refuseOtherEnd(repository: Repository): void {
  const ended = newestEvents(repository).flatMap((event) =>
    event.type === 'step-ended' && event.result.kind === 'session' ? [event.result.ending] : [],
  );
  if (ended.length === 1 && ended[0]?.kind === 'finished') return;
  throw new Error(`the session was not read to its end: ${JSON.stringify(ended)}`);
}

/** Clients that are named by their program alone. */
function program(home: string, kind: string, bytes: number): string {
  const file = join(home, kind);
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${peer}" ${kind} ${bytes}\n`);
  chmodSync(file, 0o755);
  return file;
}
