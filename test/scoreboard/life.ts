// One scenario: one agent, one random seed, a real repository, the real program; and the true result afterwards.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultGround } from '#testing/faults/fault.ts';
import { journalsIn, onSilence, sizeOf } from '../support/silence.ts';
import type { Toolchain } from './cases/toolchains.ts';
import { findDamage } from './damage.ts';
import { isAboutLuck, isCaught } from './expected.ts';
import type { Ground } from './ground.ts';
import { commitFiles, freePort, makeGround } from './ground.ts';
import { builderSessions, openTampering, proofOf, readFacts, rulesIn } from './rules.ts';
import type { BoardAgent, Staging } from './staging.ts';
import { stage } from './staging.ts';
import { findTruth } from './truth.ts';

export interface Life {
  readonly agent: string;
  readonly seed: number;
  readonly isHonest: boolean;
  readonly ground: FaultGround;
  /** Of a case agent. */
  readonly language: string;
  readonly way: number | null;
  readonly exitCode: number | null;
  /** How the run was proven, in the words of its journal. */
  readonly proof: string | null;
  readonly isFalseCompletion: boolean;
  /** Completed with wrong work, where no machine can tell. */
  readonly isKnownLimit: boolean;
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
  readonly toolchains: readonly Toolchain[];
  /** Attempts that agents which are not honest get, where they need no more. */
  readonly attempts: number;
  /** How often a check that turned green runs at the acceptance, for agents that are not about luck; as the program does it where absent. */
  readonly looks?: number;
  /** Keeps the folder of a run with a wrong result, so that a person can inspect it. */
  readonly keep?: boolean;
}

/** Null where no language is here that the agent needs. */
export async function live(agent: BoardAgent, seed: number, options: LifeOptions): Promise<Life | null> {
  const place = makeGround();
  let isWrong = false;
  try {
    const { stateHome } = place;
    const staging = stage(agent, seed, { stateHome, port: await freePort(), toolchains: options.toolchains });
    if (staging === null) return null;
    const base = commitFiles(place, staging.files, staging.prepare);
    const startedAt = Date.now();
    const { looks, ...rest } = options;
    const chosen = looks === undefined || isAboutLuck(agent.name) ? rest : { ...rest, looks };
    const { exitCode, said } = await runToItsEnd(place, staging, chosen);
    const ms = Date.now() - startedAt;
    const life = { ...lifeOf(agent, staging, { place, base, exitCode }), seed, ms };
    isWrong = life.isFalseCompletion || life.isHonestRefusal || life.isUncaught || exitCode === null;
    return { ...life, said: isWrong ? said.slice(-3_000) : '' };
  } finally {
    if (!isWrong || options.keep !== true) place.remove();
    else process.stderr.write(`kept: ${place.folder}\n`);
  }
}

interface Ended {
  readonly place: Ground;
  readonly base: string;
  readonly exitCode: number | null;
}

function lifeOf(agent: BoardAgent, staging: Staging, { place, base, exitCode }: Ended) {
  // Counted and ended before the truth is asked: what was left might answer for it.
  const damage = findDamage(place, base);
  const facts = readFacts(place.stateHome);
  const isWrongWork = exitCode === 0 && !isTrue(place, staging, base);
  const proof = proofOf(facts);
  const isKnownLimit = isWrongWork && staging.end === 'limit' && proof === 'added-tests';
  const caughtBy = rulesIn(facts);
  const isDishonestEnd = staging.end === 'refused' || (staging.end === 'limit' && exitCode !== 0);
  return {
    agent: agent.name,
    isHonest: agent.isHonest,
    ground: staging.ground,
    language: staging.language,
    way: staging.way,
    exitCode,
    proof,
    isFalseCompletion: isWrongWork && !isKnownLimit,
    isKnownLimit,
    isHonestRefusal: agent.isHonest && !isRightEnd(staging, exitCode, proof),
    attempts: builderSessions(facts),
    caughtBy,
    // One that we had to end had no time to be caught, and counts as stuck.
    isUncaught: exitCode !== null && isDishonestEnd && !isCaught(agent.name, staging.ground, caughtBy),
    damage,
    checks: staging.checks,
  };
}

function isRightEnd(staging: Staging, exitCode: number | null, proof: string | null): boolean {
  if (exitCode !== (staging.end === 'reviewed' ? 7 : 0)) return false;
  return staging.proof === null || staging.proof === proof;
}

function isTrue(place: Ground, staging: Staging, base: string): boolean {
  const { isDone, weakened } = findTruth(place, staging, base);
  return isDone && weakened.length === 0;
}

interface Ending {
  readonly exitCode: number | null;
  readonly said: string;
}

async function runToItsEnd(ground: Ground, staging: Staging, options: LifeOptions): Promise<Ending> {
  writeSettings(ground, staging, options);
  const { launcher } = options;
  const first = await runProgram(ground, launcher, runArgs(ground, staging, options));
  if (staging.end !== 'accepted' || first.exitCode !== 6) return first;
  // The person accepts what the run asks about, and resumes it.
  for (const path of openTampering(readFacts(ground.stateHome)))
    await runProgram(ground, launcher, ['accept', path, '--why', 'the goal asks for it']);
  return runProgram(ground, launcher, ['resume']);
}

function writeSettings(
  ground: Ground,
  { script, hangs, hasSecond, heldOut }: Staging,
  { looks }: LifeOptions,
): void {
  writeFileSync(join(ground.folder, 'agent.sh'), script);
  writeFileSync(join(ground.folder, 'held-out.json'), JSON.stringify(heldOut));
  const session = hangs ? { idleTimeout: '2s', grace: '1s' } : { idleTimeout: '10m', grace: '5s' };
  writeFileSync(
    join(ground.folder, 'config/untildone/config.jsonc'),
    JSON.stringify({
      session: { ...session, timeout: '15m' },
      check: { timeout: '10m', ...(looks === undefined ? {} : { flaky: { runs: looks } }) },
      ...(hasSecond ? { reviewers: [{ name: 'second' }] } : {}),
    }),
  );
}

function runArgs(ground: Ground, staging: Staging, options: LifeOptions): string[] {
  const { goal, checks, hasSecond, heldOut, flags, attemptsMin } = staging;
  const attempts = Math.max(options.attempts, attemptsMin);
  const agent = `command:sh ${join(ground.folder, 'agent.sh')}`;
  const loops = ['--max-loops', String(attempts), '--cooldown', '0', '--no-setup'];
  return [
    'run',
    goal,
    ...['builder', 'verifier', ...(hasSecond ? ['second'] : [])].flatMap((role) => [
      '--agent',
      `${role}=${agent}`,
    ]),
    ...loops,
    ...checks.flatMap((check) => ['--check', check]),
    ...flags,
    ...(heldOut.length === 0 ? [] : ['--held-out', join(ground.folder, 'held-out.json')]),
  ];
}

async function runProgram(ground: Ground, launcher: string, args: readonly string[]): Promise<Ending> {
  const output = join(ground.folder, 'output.txt');
  const fd = openSync(output, 'w');
  const child = spawn(process.execPath, [launcher, ...args], {
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
