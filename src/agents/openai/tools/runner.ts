// Runs the commands of tools as processes of the session: marked, with limits on time and kept output.
import { StringDecoder } from 'node:string_decoder';
import type { ProcessEnding } from '#kernel/model/ending.ts';
import type { SessionRequest } from '#ports/agent.ts';
import type { ProcessSpec, RunningProcess } from '#ports/processes.ts';
import { createBoundedText } from '#agents/openai/bounded-text.ts';
import { ToolError } from './confine-path.ts';

export interface Runner {
  /** Contract: no process of the command is alive when it resolves. */
  run(
    command: ProcessSpec['command'],
    wallMs: number,
  ): Promise<{ readonly ending: ProcessEnding; readonly output: string }>;
  stop(reason: string): void;
}

const outputLengthMax = 20_000;
/** A command of a tool has nothing to save. */
const graceMs = 2_000;

export function createRunner(request: SessionRequest, env: SessionRequest['env']): Runner {
  const running = new Set<RunningProcess>();
  let stopped: string | null = null;
  return {
    run: async (command, wallMs) => {
      if (stopped !== null) throw new ToolError(`Not run: ${stopped}.`);
      const output = createBoundedText(outputLengthMax);
      const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
      const child = request.processes.start({
        command,
        cwd: request.cwd,
        env,
        mark: request.mark,
        wallMs,
        idleMs: null,
        graceMs: Math.min(graceMs, request.graceMs),
        input: null,
        onOutput: (chunk, stream) => output.add(decoders[stream].write(chunk)),
      });
      running.add(child);
      const ending = await child.ended;
      running.delete(child);
      return { ending, output: output.text() };
    },
    stop: (reason) => {
      stopped = reason;
      for (const child of running) child.kill(reason);
    },
  };
}
