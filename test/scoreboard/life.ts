// One life: one agent, one seed, a real repository, the real program; and the truth about it afterwards.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createChance } from '#testing/faults/chance.ts';
import type { FaultAgent, FaultGround } from '#testing/faults/fault.ts';
import { groundOf } from '#testing/faults/fault.ts';
import { faultScript } from '#testing/faults/fault-agents.ts';
import type { SampleTask } from '#testing/faults/sample-task.ts';
import { sampleTask } from '#testing/faults/sample-task.ts';
import { journalsIn, onSilence, sizeOf } from '../support/silence.ts';
import { findDamage } from './damage.ts';
import { isCaught } from './expected.ts';
import type { Ground } from './ground.ts';
import { commitFiles, freePort, makeGround } from './ground.ts';
import { builderSessions, readFacts, rulesIn } from './rules.ts';
import { findTruth } from './truth.ts';

export interface Life {
  readonly agent: string;
  readonly seed: number;
  readonly isHonest: boolean;
  readonly ground: FaultGround;
  readonly exitCode: number | null;
  readonly isFalseCompletion: boolean;
  readonly isHonestRefusal: boolean;
  readonly attempts: number;
  readonly caughtBy: readonly string[];
  /** None of the rules spoke that have to, for such an agent. */
  readonly isUncaught: boolean;
  readonly damage: readonly string[];
  readonly checks: readonly string[];
  readonly ms: number;
  /** The end of what the program said, where something is wrong. */
  readonly said: string;
}

export interface LifeOptions {
  readonly launcher: string;
  readonly languages: readonly ('node' | 'python' | 'sh')[];
  /** Attempts that agents which are not honest get, where they need no more. */
  readonly attempts: number;
  /** Leaves the folder of a life with something wrong for a person to look at. */
  readonly keep?: boolean;
}

export async function live(agent: FaultAgent, seed: number, options: LifeOptions): Promise<Life> {
  const place = makeGround();
  let isWrong = false;
  try {
    const ground = groundOf(agent, seed);
    const chance = createChance(seed * 7919 + 17);
    const sample = sampleTask(chance, {
      ground,
      stateHome: place.stateHome,
      port: await freePort(),
      languages: options.languages,
    });
    const base = commitFiles(place, sample.files);
    const startedAt = Date.now();
    const { exitCode, said } = await runProgram(place, sample, { agent, seed, options });
    const ms = Date.now() - startedAt;
    // Counted and ended before the truth is asked: what was left might answer for it.
    const damage = findDamage(place, base);
    const facts = readFacts(place.stateHome);
    const { isDone, weakened } = findTruth(place, sample, base);
    const isFalseCompletion = exitCode === 0 && (!isDone || weakened.length > 0);
    const isHonestRefusal = agent.isHonest && exitCode !== 0;
    const caughtBy = rulesIn(facts);
    // One that we had to end had no time to be caught, and counts as stuck.
    const isUncaught = exitCode !== null && !isCaught(agent.name, ground, caughtBy);
    isWrong = isFalseCompletion || isHonestRefusal || isUncaught || exitCode === null;
    return {
      agent: agent.name,
      seed,
      isHonest: agent.isHonest,
      ground,
      exitCode,
      isFalseCompletion,
      isHonestRefusal,
      attempts: builderSessions(facts),
      caughtBy,
      isUncaught,
      damage,
      checks: sample.checks,
      ms,
      said: isWrong ? said.slice(-3_000) : '',
    };
  } finally {
    if (!isWrong || options.keep !== true) place.remove();
    else process.stderr.write(`kept: ${place.folder}\n`);
  }
}

interface Order {
  readonly agent: FaultAgent;
  readonly seed: number;
  readonly options: LifeOptions;
}

async function runProgram(
  ground: Ground,
  sample: SampleTask,
  { agent, seed, options }: Order,
): Promise<{ exitCode: number | null; said: string }> {
  const script = join(ground.folder, 'agent.sh');
  writeFileSync(script, faultScript(agent, sample.task, seed));
  const session = agent.hangs === true ? { idle: '2s', grace: '1s' } : { idle: '10m', grace: '5s' };
  writeFileSync(
    join(ground.folder, 'config/untildone/config.jsonc'),
    JSON.stringify({
      session: { ...session, wall: '15m' },
      check: { timeout: '10m' },
      ...(agent.second === undefined ? {} : { reviewers: [{ name: 'second' }] }),
    }),
  );
  const heldOut = join(ground.folder, 'held-out.json');
  writeFileSync(heldOut, JSON.stringify(sample.heldOut));
  const output = join(ground.folder, 'output.txt');
  const fd = openSync(output, 'w');
  const args = [options.launcher, 'run', sample.goal, '--agent', `command:sh ${script}`, '--no-setup'];
  const attempts = Math.max(options.attempts, agent.attemptsMin ?? 1);
  const loops = ['--max-loops', String(attempts), '--cooldown', '0'];
  const checks = sample.checks.flatMap((check) => ['--check', check]);
  const more = [
    ...sample.mayChange.flatMap((glob) => ['--may-change', glob]),
    ...(sample.heldOut.length === 0 ? [] : ['--held-out', heldOut]),
  ];
  const child = spawn(process.execPath, [...args, ...loops, ...checks, ...more], {
    cwd: ground.repo,
    env: ground.env,
    stdio: ['ignore', fd, fd],
  });
  closeSync(fd);
  const exitCode = await new Promise<number | null>((resolve) => {
    // Neither printed nor recorded anything for minutes: it is stuck, and the test fails with that.
    const stop = onSilence(
      () => sizeOf([output, ...journalsIn(ground.stateHome)]),
      () => child.kill('SIGKILL'),
    );
    child.once('exit', (code) => {
      stop();
      resolve(code);
    });
  });
  return { exitCode, said: readFileSync(output, 'utf8') };
}
