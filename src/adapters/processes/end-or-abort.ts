import type { ProcessEnding } from '#kernel/model/ending.ts';
import type { RunningProcess } from '#ports/processes.ts';

/** Waits for the end of a process; when the signal fires, ends it with this reason. */
export async function endOrAbort(
  running: RunningProcess,
  signal: AbortSignal,
  reason: string,
): Promise<ProcessEnding> {
  const cancel = (): void => running.kill(reason);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const ending = await running.ended;
  signal.removeEventListener('abort', cancel);
  return ending;
}
