// Measures a whole attempt: the agent, ten checks and the bookkeeping, against a bare shell loop.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Event } from '#kernel/events/events.ts';
import type { Benchmark, Line } from './measure.ts';
import { inFolder, median, sizeAt, timeMs } from './measure.ts';
import type { Repository } from './program.ts';
import { exhausted, makeRepository, newestEvents, startProgram, writeSettings } from './program.ts';

const roundsMax = 3;
const attemptsPerRun = 5;
/** The last check never passes: one run makes several attempts, and none pays for an acceptance. */
const checks = [...Array.from({ length: 9 }, (_, n) => `test -s README.md # ${n}`), 'test -f never.txt'];

export const attempt: Benchmark = ({ folder, program, scale }) =>
  inFolder(folder, async (place) => {
    const times = { confined: [] as number[], unconfined: [] as number[], loop: [] as number[] };
    for (let round = 0; round < sizeAt(scale, roundsMax, 1); round += 1) {
      const home = (name: string) => makeHome(place, `${name}-${round}`);
      times.confined.push(...(await runAttempts(home('confined'), program)));
      times.loop.push(...(await loopTimes(home('loop'))));
      times.unconfined.push(...(await runAttempts(withoutBubblewrap(home('unconfined')), program)));
    }
    const raw = median(times.loop);
    return [
      lineOf('as this machine allows', median(times.confined), raw),
      lineOf('without bubblewrap', median(times.unconfined), raw),
    ];
  });

function lineOf(how: string, measured: number, raw: number): Line {
  const name = `an attempt with ten checks, against a shell loop (${how})`;
  return { name, measured, raw, unit: 'ms', aim: 2 };
}

function makeHome(place: string, name: string): Repository & { readonly home: string } {
  const home = join(place, name);
  mkdirSync(home);
  const agentFile = join(home, 'agent.mjs');
  writeFileSync(
    agentFile,
    `import { writeFileSync } from 'node:fs';\nwriteFileSync('work.txt', String(Date.now()));\nconsole.log('done');\n`,
  );
  const repository = makeRepository(home);
  const command = [process.execPath, agentFile];
  // Every attempt fails in the same way, which would end the run after three.
  writeSettings(repository, {
    agents: { small: { driver: 'command', command, prompt: 'stdin', verdicts: true } },
    stuck: { max: 0 },
  });
  return { ...repository, home };
}

/** A bubblewrap that does not work is treated as missing. */
function withoutBubblewrap(repository: Repository & { readonly home: string }): Repository {
  const bin = join(repository.home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\nexit 1\n');
  chmodSync(join(bin, 'bwrap'), 0o755);
  const { env } = repository;
  return { ...repository, env: { ...env, PATH: `${bin}${delimiter}${env['PATH'] ?? ''}` } };
}

async function runAttempts(repository: Repository, program: string): Promise<number[]> {
  const args = ['run', 'work', '--agent', 'small', '--max-loops', String(attemptsPerRun), '--cooldown', '0'];
  const child = startProgram(program, repository, [
    ...args,
    '--no-setup',
    ...checks.flatMap((check) => ['--check', check]),
  ]);
  await exhausted(child);
  return attemptTimes(newestEvents(repository));
}

/** From the start of an agent to the conclusion; the base was checked before. */
function attemptTimes(events: readonly Event[]): number[] {
  const times: number[] = [];
  let startedAt = 0;
  for (const event of events) {
    if (event.type === 'step-started' && event.step.deed.kind === 'session') startedAt = event.at;
    if (event.type === 'attempt-failed' || event.type === 'task-failed') {
      if (startedAt > 0) times.push(event.at - startedAt);
      startedAt = 0;
    }
  }
  return times;
}

async function loopTimes({ root, env, home }: Repository & { readonly home: string }): Promise<number[]> {
  const script = join(home, 'loop.sh');
  const lines = [
    `"${process.execPath}" "${join(home, 'agent.mjs')}" < README.md > "${join(home, 'log.txt')}"`,
    ...checks.map((check) => `sh -c '${check}'`),
    'git add -A && git commit -q -m attempt',
  ];
  writeFileSync(script, `${lines.join('\n')}\n`);
  const times: number[] = [];
  for (let n = 0; n < attemptsPerRun; n += 1) {
    times.push(await timeMs(() => execFileSync('sh', [script], { cwd: root, env })));
  }
  return times;
}
