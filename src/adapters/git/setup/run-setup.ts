// Runs the setup command in a checkout. Its whole output goes to a log; a failure shows the lines that say why.
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

/** Where a failure of the setup command is told, and how to go on. */
export interface SetupReport {
  /** Holds the output of the setup that ended last. */
  readonly logFile: string;
  readonly redactor: Redactor;
  /** The next command for the user. */
  readonly hint: string;
  /** Told before a command runs: an installation may take minutes. */
  readonly onStart?: (command: string) => void;
}

export interface SetupCommand {
  readonly command: string;
  readonly cwd: string;
  /** In place of what the environment says. */
  readonly env?: { readonly [name: string]: string };
}

const wallMs = 30 * 60_000;
const graceMs = 5_000;
/** An error is at the beginning or at the end of an output; between them are thousands of packages. */
const partChars = 64 * 1024;
let logs = 0;

/** Contract: rejects with an OperatorError that carries the error lines and the place of the log when the command fails. */
export async function runSetup(wanted: SetupCommand, runner: SetupRunner): Promise<void> {
  const { report } = runner;
  report.onStart?.(wanted.command);
  const log = await openSetupLog(report);
  const said = boundedOutput(partChars, partChars, '\n');
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
      said.add(decoder.write(chunk));
      return log?.add(chunk, stream);
    },
  });
  const ending = await running.ended;
  const logFile = await log?.close();
  if (ending.kind === 'exited' && ending.code === 0) return;
  const why = report.redactor.redact(errorLines(stripAnsi(said.text())));
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

/** Under a name of its own until it is whole: two checkouts may be set up at once. Null where the disk refuses it. */
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
    // The setup itself will say what is wrong with the disk.
    return null;
  }
}

function programEnvironment(env: Environment): { [name: string]: string } {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || name.startsWith('UNTILDONE_') ? [] : [[name, value] as const],
  );
  return Object.fromEntries(kept);
}
