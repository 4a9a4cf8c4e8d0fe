// A repository with a small agent and ten trivial checks, for our program and for a shell loop.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sizeAt } from '../measure.ts';
import { makeRepository, writeSettings } from '../program.ts';
import type { Repository, SandboxMode } from '../program.ts';

export interface Bed extends Repository {
  readonly home: string;
  /** The launcher of our program. */
  readonly program: string;
  readonly agentFile: string;
  /** The last one never passes: one run makes several attempts, and none pays for an acceptance. */
  readonly failingChecks: readonly string[];
  /** The first attempt passes the last one. */
  readonly passingChecks: readonly string[];
}

export interface BedOptions {
  readonly place: string;
  readonly name: string;
  readonly program: string;
  readonly sandbox: SandboxMode;
  readonly scale: number;
  /** In the repository; 1 by default. */
  readonly files?: number;
}

/** It prints when it started and ended, in milliseconds since 1970. */
const agent = `import { appendFileSync } from 'node:fs';
appendFileSync('work.txt', 'x');
console.log(\`session \${performance.timeOrigin} \${performance.timeOrigin + performance.now()}\`);
`;

export function makeBed({ place, name, program, sandbox, scale, files = 1 }: BedOptions): Bed {
  const home = join(place, name);
  const agentFile = join(home, 'agent', 'agent.mjs');
  mkdirSync(dirname(agentFile), { recursive: true });
  writeFileSync(agentFile, agent);
  const repository = makeRepository(home, sandbox);
  if (files > 1) addFiles(repository, files - 1);
  const command = [process.execPath, agentFile];
  writeSettings(repository, {
    agents: { small: { driver: 'command', command, prompt: 'stdin' } },
    // Every attempt fails in the same way, which would end the run after three.
    stuck: { max: 0 },
    acceptance: { calibration: 'off' },
  });
  const trivial = Array.from(
    { length: sizeAt(Math.min(scale, 1), 10, 2) - 1 },
    (_, number) => `test -s README.md # ${number}`,
  );
  const failingChecks = [...trivial, 'test -f never.txt'];
  const passingChecks = [...trivial, 'test -s work.txt'];
  return { ...repository, home, program, agentFile, failingChecks, passingChecks };
}

const filesPerFolder = 100;

function addFiles(repository: Repository, count: number): void {
  for (let number = 0; number < count; number += 1) {
    const folder = join(repository.root, 'src', String(Math.floor(number / filesPerFolder)));
    if (number % filesPerFolder === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${number}.js`), `export const n = ${number};\n`.repeat(20));
  }
  repository.git('add', '.');
  repository.git('commit', '-q', '-m', 'files');
}

export interface Session {
  readonly startedAt: number;
  readonly endedAt: number;
}

/** As the agents printed them, by start. */
export function sessionsIn(output: string): Session[] {
  return [...output.matchAll(/session ([\d.]+) ([\d.]+)/g)]
    .map(([, startedAt, endedAt]) => ({ startedAt: Number(startedAt), endedAt: Number(endedAt) }))
    .toSorted((one, other) => one.startedAt - other.startedAt);
}

/** From the end of each session to the start of the next one. */
export function gapsOf(sessions: readonly Session[]): number[] {
  return sessions
    .slice(1)
    .map(({ startedAt }, index) => startedAt - (sessions[index]?.endedAt ?? Number.NaN));
}
