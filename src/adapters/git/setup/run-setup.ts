// Runs the setup command in a checkout. Its output goes to a log; a failure shows the lines with the cause.
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { type CheckLog, openLog } from '#adapters/logs/check-log.ts';
import { stripAnsi } from '#analysis/test-runners/reports.ts';
import { checkLogCap } from '#adapters/logs/log-cap.ts';
import { errorLines } from '#analysis/output/error-lines.ts';
import { boundedOutput } from '#analysis/output/bounded-output.ts';
import { describeProcessEnding } from '#kernel/model/ending.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Processes } from '#ports/processes.ts';
import type { Redactor } from '#ports/redactor.ts';
import type { Environment } from '#adapters/git/repo/git.ts';

export interface SetupRunner {
  readonly processes: Processes;
  readonly env: Environment;
  readonly mark: string;
  readonly report: SetupReport;
}

/** Where a failed setup is logged, and the advice for the user. */
export interface SetupReport {
  /** Holds the output of the last finished setup. */
  readonly logFile: string;
  readonly redactor: Redactor;
  readonly hint: string;
  /** Called before a command runs: an installation may take minutes. The result is called when it ended. */
  readonly onStart?: (command: string) => (() => void) | undefined;
}

export interface SetupCommand {
  readonly command: string;
  readonly cwd: string;
  /** Overrides of the environment. */
  readonly env?: { readonly [name: string]: string };
}

const wallMs = 30 * 60_000;
const graceMs = 5_000;
/** An error is at the start or the end of the output; thousands of packages are between them. */
const partChars = 64 * 1024;
let logs = 0;

/** Contract: if the command fails, rejects with an OperatorError with the error lines and the log's path. */
export async function runSetup(wanted: SetupCommand, runner: SetupRunner): Promise<void> {
  const { report } = runner;
  const onEnd = report.onStart?.(wanted.command);
  const log = await openSetupLog(report);
  const output = boundedOutput(partChars, partChars, '\n');
  const decoder = new StringDecoder('utf8');
  const running = runner.processes.start({
    command: wanted.command,
    cwd: wanted.cwd,
    env: { ...programEnvironment(runner.env), ...wanted.env },
    mark: runner.mark,
    wallMs,
    idleMs: null,
    graceMs,
    input: null,
    onOutput: (chunk, stream) => {
      output.add(decoder.write(chunk));
      return log?.add(chunk, stream);
    },
  });
  const ending = await running.ended.finally(onEnd);
  const logFile = await log?.close();
  if (ending.kind === 'exited' && ending.code === 0) return;
  const why = report.redactor.redact(errorLines(stripAnsi(output.text())));
  const words = why === '' ? ' and printed nothing' : `:${why.includes('\n') ? '\n' : ' '}${why}`;
  const place = logFile === undefined || why === '' ? '' : `\nIts whole output is in ${logFile}.`;
  throw new OperatorError(
    'setup-failed',
    `The setup command \`${wanted.command}\` failed (${describeProcessEnding(ending)})${words}${place}`,
    report.hint,
  );
}

interface SetupLog extends Pick<CheckLog, 'add'> {
  close(): Promise<string | undefined>;
}

/** Uses a separate name until it is complete: two setups may run at once. Null if the disk refuses it. */
async function openSetupLog({ logFile, redactor }: SetupReport): Promise<SetupLog | null> {
  logs += 1;
  const mine = `${logFile}.${process.pid}-${logs}`;
  try {
    await mkdir(dirname(mine), { recursive: true });
    const log = openLog(await open(mine, 'w', 0o600), redactor, checkLogCap(dirname(logFile)));
    return {
      add: (chunk, stream) => log.add(chunk, stream),
      async close() {
        await log.close();
        return rename(mine, logFile).then(
          () => logFile,
          () => undefined,
        );
      },
    };
  } catch {
    // The setup itself will report the disk error.
    return null;
  }
}

function programEnvironment(env: Environment): { [name: string]: string } {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || name.startsWith('UNTILDONE_') ? [] : [[name, value] as const],
  );
  return Object.fromEntries(kept);
}
