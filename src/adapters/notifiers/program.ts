// Runs a program that delivers a notification, with limits on time and memory, and ends its process tree.
import { describeProcessEnding } from '#kernel/model/ending.ts';
import type { Delivery } from '#ports/notifier.ts';
import type { Processes, ProcessSpec } from '#ports/processes.ts';
import { oneLine } from './plain.ts';
import { endOrAbort } from '#adapters/processes/end-or-abort.ts';

export interface ProgramPlace {
  readonly processes: Processes;
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  /** Mark of the run, so that a later driver can end the processes of an earlier one. */
  readonly mark: string;
  readonly timeoutMs: number;
}

/** Time between the request to end and the kill. */
const graceMs = 500;
const tailMax = 300;

/** Never retried: it may have delivered before it failed. */
export async function runProgram(
  place: ProgramPlace,
  program: Pick<ProcessSpec, 'command' | 'input'>,
  signal: AbortSignal,
): Promise<Delivery> {
  if (signal.aborted) return { kind: 'failed', problem: 'there was no time left', mayRetry: false };
  const { processes, timeoutMs: wallMs, ...where } = place;
  let tail = '';
  const running = processes.start({
    ...where,
    ...program,
    wallMs,
    idleMs: null,
    graceMs,
    onOutput(chunk) {
      tail = (tail + chunk.toString('utf8')).slice(-tailMax);
    },
  });
  const ending = await endOrAbort(running, signal, 'there was no time left');
  if (ending.kind === 'exited' && ending.code === 0) return { kind: 'delivered' };
  const output = oneLine(tail, tailMax);
  const problem = `${describeProcessEnding(ending)}${output === '' ? '' : `, last output: ${output}`}`;
  return { kind: 'failed', problem, mayRetry: false };
}
