// Decides a criterion by running its command. Only how the command ended counts; its output is data.
import { join } from 'node:path';
import { excerptOf, failedTests } from '#analysis/output/excerpt.ts';
import type { CommandCheck, GateCheck } from '#kernel/model/check.ts';
import type { CheckRequest } from '#ports/checker.ts';
import { judge } from './judge.ts';
import { stripAnsi } from '#analysis/test-runners/reports.ts';
import { type CheckTools, type UntimedFinding, openCheckLog } from './tools.ts';
import { endOrAbort } from '#adapters/processes/end-or-abort.ts';
import { isOnPath } from '#adapters/processes/program.ts';

// Time for a test runner to write its report after it was asked to end.
const graceMs = 5_000;

export async function checkCommand(
  request: CheckRequest,
  check: CommandCheck | GateCheck,
  tools: CheckTools,
): Promise<UntimedFinding> {
  const { processes, logsDir, removesLogs = false, redactor, env } = tools;
  const { command, isExitReliable } = shellCommand(check.run, {
    hasBash: isOnPath('bash', env),
    platform: process.platform,
    runNumber: request.runNumber ?? 1,
  });
  const log = await openCheckLog(tools, request.log, request.onOutput);
  const start = () =>
    processes.start({
      command,
      cwd: join(request.cwd, check.cwd),
      env,
      mark: request.mark,
      wallMs: check.timeoutMs,
      idleMs: null,
      graceMs,
      input: null,
      onOutput: (chunk, stream) => log.add(chunk, stream),
    });
  try {
    const ending = await endOrAbort(start(), request.signal, 'the check was cancelled');
    const { tests, tail, output } = await log.close();
    const judged = judge({ ending, isExitReliable, tests, timeoutMs: check.timeoutMs });
    return {
      ...judged,
      ending,
      tail,
      // Redacted again: a secret split by a color code is whole only now, and an excerpt may cut lines.
      ...(judged.verdict === 'pass'
        ? {}
        : whatFailed(redactor.redact(stripAnsi(output)), removesLogs ? null : join(logsDir, request.log))),
      ...(tests.kind === 'some' ? { ranTests: true, tests: tests.tests } : {}),
    };
  } finally {
    await log.close();
  }
}

function whatFailed(output: string, log: string | null): Pick<UntimedFinding, 'excerpt' | 'failing'> {
  const failed = failedTests(output);
  const excerpt = excerptOf(output, log, failed);
  return {
    ...(excerpt === null ? {} : { excerpt }),
    ...(failed.length === 0 ? {} : { failing: failed.length }),
  };
}

interface ShellCommand {
  readonly command: string | readonly [string, ...string[]];
  /** False when a pipe could hide a failing program: then exit 0 proves nothing. */
  readonly isExitReliable: boolean;
}

interface ShellPlace {
  readonly hasBash: boolean;
  readonly platform: string;
  /** The number of this run of the check on the same files, from 1. */
  readonly runNumber: number;
}

/** Starts a command line so that no pipe can hide a failure. */
export function shellCommand(run: string, { hasBash, platform, runNumber }: ShellPlace): ShellCommand {
  if (platform === 'win32') return { command: run, isExitReliable: !hasPipe(run) };
  const line = withOtherIds(run, runNumber);
  if (!hasPipe(run)) return { command: ['sh', '-c', line], isExitReliable: true };
  if (!hasBash) return { command: ['sh', '-c', line], isExitReliable: false };
  return { command: ['bash', '-o', 'pipefail', '-c', line], isExitReliable: true };
}

/** A pid namespace repeats its process ids, so work that depends on a process id would pass every time. */
function withOtherIds(run: string, runNumber: number): string {
  return runNumber <= 1 ? run : `${'(:);'.repeat(runNumber - 1)}\n${run}`;
}

/** A `|` that is not `||`. One inside quotes counts too: bash runs such a command just as well. */
function hasPipe(run: string): boolean {
  return /(?<!\|)\|(?!\|)/.test(run);
}
