// Decides a criterion by running its command. What the command does is data; only how it ended counts.
import { accessSync, constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describeProcessEnding, type ProcessEnding } from '#kernel/ending.ts';
import type { Checker, CheckRequest, Finding } from '#ports/checker.ts';
import type { Processes, RunningProcess } from '#ports/processes.ts';
import type { Redactor } from '#ports/redactor.ts';
import { judge } from './judge.ts';
import { openLog } from './check-log.ts';
import { shellCommand } from './shell-command.ts';

export interface CommandCheckerOptions {
  readonly processes: Processes;
  readonly logsDir: string;
  /** The whole environment of every check; variables of ours are taken out of it. */
  readonly env: { readonly [name: string]: string };
  readonly redactor: Redactor;
}

// What a test runner gets to write its report after it was asked to end.
const graceMs = 5_000;

export function createCommandChecker(options: CommandCheckerOptions): Checker {
  const env = foreignEnvironment(options.env);
  const hasBash = isOnPath('bash', env);
  return {
    async check(request) {
      const started = performance.now();
      const spent = (): number => Math.round(performance.now() - started);
      if (request.signal.aborted)
        return notRun({ kind: 'cancelled', reason: 'cancelled before it began' }, 0);
      try {
        const finding = await run(request, options, env, hasBash);
        return { ...finding, durationMs: spent() };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return notRun({ kind: 'not-started', reason }, spent());
      }
    },
  };
}

async function run(
  request: CheckRequest,
  { processes, logsDir, redactor }: CommandCheckerOptions,
  env: { readonly [name: string]: string },
  hasBash: boolean,
): Promise<Omit<Finding, 'durationMs'>> {
  const { check } = request.criterion;
  if (check.kind !== 'command' && check.kind !== 'gate')
    return {
      verdict: 'unknown',
      reason: `this version cannot decide a ${check.kind} check`,
      ending: null,
      tail: '',
    };
  const { command, isTelling } = shellCommand(check.run, hasBash, process.platform);
  await mkdir(logsDir, { recursive: true });
  const log = openLog(await open(join(logsDir, request.log), 'w'), redactor);
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
    const { tests, tail } = await log.close();
    return { ...judge({ ending, isTelling, tests, timeoutMs: check.timeoutMs }), ending, tail };
  } finally {
    await log.close();
  }
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

function notRun(ending: ProcessEnding, durationMs: number): Finding {
  return { verdict: 'unknown', reason: describeProcessEnding(ending), ending, tail: '', durationMs };
}

/** A check must not find out about the run that it judges, nor steer it. */
function foreignEnvironment(env: { readonly [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('UNTILDONE_')));
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
