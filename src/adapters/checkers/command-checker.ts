// Decides a criterion by running its command. What the command does is data; only how it ended counts.
import { join } from 'node:path';
import { excerptOf, failedTests } from '#analysis/output/excerpt.ts';
import type { CommandCheck, GateCheck } from '#kernel/model/check.ts';
import type { CheckRequest } from '#ports/checker.ts';
import { judge } from './judge.ts';
import { stripAnsi } from '#analysis/test-runners/reports.ts';
import { type CheckTools, type UntimedFinding, openCheckLog } from './tools.ts';
import { endOrAbort } from '#adapters/processes/end-or-abort.ts';
import { isOnPath } from '#adapters/processes/program.ts';

// What a test runner gets to write its report after it was asked to end.
const graceMs = 5_000;

export async function checkCommand(
  request: CheckRequest,
  check: CommandCheck | GateCheck,
  tools: CheckTools,
): Promise<UntimedFinding> {
  const { processes, logsDir, removesLogs = false, redactor, env } = tools;
  const { command, isTelling } = shellCommand(check.run, {
    hasBash: isOnPath('bash', env),
    platform: process.platform,
    look: request.look ?? 1,
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
    const judged = judge({ ending, isTelling, tests, timeoutMs: check.timeoutMs });
    return {
      ...judged,
      ending,
      tail,
      // A secret with a colour in its middle is whole only now, and an excerpt may cut lines.
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
  /** False when a failing program before a pipe would go unseen: then exit 0 says nothing. */
  readonly isTelling: boolean;
}

interface ShellPlace {
  readonly hasBash: boolean;
  readonly platform: string;
  /** Which look at the same files, from 1. */
  readonly look: number;
}

/** How a command line is started, so that no pipe can hide a failure. */
export function shellCommand(run: string, { hasBash, platform, look }: ShellPlace): ShellCommand {
  if (platform === 'win32') return { command: run, isTelling: !hasPipe(run) };
  const line = withOtherIds(run, look);
  if (!hasPipe(run)) return { command: ['sh', '-c', line], isTelling: true };
  if (!hasBash) return { command: ['sh', '-c', line], isTelling: false };
  return { command: ['bash', '-o', 'pipefail', '-c', line], isTelling: true };
}

/** In a pid namespace every look would get the same process ids, and work that is right by such an id would always be lucky. */
function withOtherIds(run: string, look: number): string {
  return look <= 1 ? run : `${'(:);'.repeat(look - 1)}\n${run}`;
}

/** A `|` that is not `||`. One inside quotes counts too: bash runs such a command just as well. */
function hasPipe(run: string): boolean {
  return /(?<!\|)\|(?!\|)/.test(run);
}
