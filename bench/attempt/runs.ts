// Runs our program, and the shell loop that it is compared with.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CpuMeter } from '../cpu-time.ts';
import { timeMs } from '../measure.ts';
import { watchMemory } from '../memory.ts';
import { completed, exhausted, startCommand } from '../program.ts';
import { sessionsIn } from './bed.ts';
import type { Bed, Session } from './bed.ts';

const flags = ['--agent', 'small', '--cooldown', '0', '--no-setup', '--new'];

/** The sessions of a run of so many attempts. */
export async function runAttempts(
  bed: Bed,
  attempts: number,
  meter: CpuMeter | null = null,
): Promise<readonly Session[]> {
  const limits = ['--max-loops', String(attempts), '--budget', `sessions=${attempts + 1},usd=1000`];
  const command = commandOf(bed, bed.failingChecks, limits);
  const startedAt = now();
  await exhausted(startCommand(meter === null ? command : meter.wrap(command), bed));
  const sessions = sessionsSince(bed, startedAt);
  if (sessions.length !== attempts) throw new Error(`${sessions.length} sessions instead of ${attempts}`);
  return sessions;
}

export interface CompletedRun {
  /** From the command to the start of the session. */
  readonly startMs: number;
  /** From the end of the session to the end of the program. */
  readonly endMs: number;
  /** Of driver and host together. */
  readonly peakMb: number;
}

export async function runToCompletion(bed: Bed): Promise<CompletedRun> {
  const startedAt = now();
  const child = startCommand(commandOf(bed, bed.passingChecks, []), bed);
  const memory = watchMemory(child.pid ?? 0);
  await completed(child);
  const endedAt = now();
  const [session] = sessionsSince(bed, startedAt);
  if (session === undefined) throw new Error('the run had no session');
  return {
    startMs: session.startedAt - startedAt,
    endMs: endedAt - session.endedAt,
    peakMb: memory.stop(),
  };
}

function commandOf({ program }: Bed, checks: readonly string[], more: readonly string[]): string[] {
  const asked = checks.flatMap((check) => ['--check', check]);
  return [process.execPath, program, 'run', 'work', ...flags, ...more, ...asked];
}

function sessionsSince({ root }: Bed, startedAt: number): Session[] {
  const logs = globSync(join(root, '.untildone/runs/*/logs/builder_*.jsonl'));
  const output = logs.map((log) => readFileSync(log, 'utf8')).join('\n');
  return sessionsIn(output).filter((session) => session.startedAt > startedAt);
}

/** By the clock that the agents print. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

/** The bare loop: the same agent, the same checks, a commit. */
export function runLoop(bed: Bed, attempts: number, meter: CpuMeter | null): readonly Session[] {
  const script = join(bed.home, 'loop.sh');
  const log = join(bed.home, 'loop.txt');
  if (existsSync(log)) rmSync(log);
  const lines = [
    'n=0',
    `while [ $n -lt ${attempts} ]; do`,
    `"${process.execPath}" "${bed.agentFile}" < README.md >> "${log}"`,
    ...byHand(bed.failingChecks),
    'git add -A',
    'git commit -q -m attempt',
    'n=$((n + 1))',
    'done',
  ];
  writeFileSync(script, `${lines.join('\n')}\n`);
  const [file = '', ...args] = meter === null ? ['sh', script] : meter.wrap(['sh', script]);
  execFileSync(file, args, { cwd: bed.root, env: bed.env });
  return sessionsIn(readFileSync(log, 'utf8'));
}

/** So many runs of all checks, one after the other. */
export async function checksByHandMs(bed: Bed, runs: number): Promise<number> {
  const script = join(bed.home, 'checks.sh');
  writeFileSync(script, Array.from({ length: runs }, () => byHand(bed.passingChecks).join('\n')).join('\n'));
  return timeMs(() => execFileSync('sh', [script], { cwd: bed.root, env: bed.env }));
}

function byHand(checks: readonly string[]): string[] {
  return checks.map((check) => `sh -c '${check}' || true`);
}
