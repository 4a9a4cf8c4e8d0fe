// Decides a criterion by running its command. What the command does is data; only how it ended counts.
import { accessSync, constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { excerptOf, failedTests } from '#analysis/output/excerpt.ts';
import type { CommandCheck, GateCheck } from '#kernel/model/check.ts';
import type { ProcessEnding } from '#kernel/model/ending.ts';
import type { CheckRequest } from '#ports/checker.ts';
import type { RunningProcess } from '#ports/processes.ts';
import { judge } from './judge.ts';
import { checkLogCap } from '#adapters/logs/log-cap.ts';
import { openLog } from '#adapters/logs/check-log.ts';
import { shellCommand } from './shell-command.ts';
import { stripAnsi } from '#analysis/test-runners/reports.ts';
import type { CheckTools, UntimedFinding } from './tools.ts';

// What a test runner gets to write its report after it was asked to end.
const graceMs = 5_000;

export async function checkCommand(
  request: CheckRequest,
  check: CommandCheck | GateCheck,
  { processes, logsDir, removesLogs = false, redactor, env }: CheckTools,
): Promise<UntimedFinding> {
  const { command, isTelling } = shellCommand(check.run, {
    hasBash: isOnPath('bash', env),
    platform: process.platform,
    look: request.look ?? 1,
  });
  await mkdir(logsDir, { recursive: true });
  const log = openLog(
    await open(join(logsDir, request.log), 'w'),
    redactor,
    checkLogCap(logsDir),
    request.onOutput,
  );
  const start = (): RunningProcess =>
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
    const ending = await endingOf(start, request.signal);
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

async function endingOf(start: () => RunningProcess, signal: AbortSignal): Promise<ProcessEnding> {
  const running = start();
  const cancel = (): void => running.kill('the check was cancelled');
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const ending = await running.ended;
  signal.removeEventListener('abort', cancel);
  return ending;
}

function isOnPath(program: string, env: { readonly [name: string]: string }): boolean {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
