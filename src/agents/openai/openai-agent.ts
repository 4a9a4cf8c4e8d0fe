// Driver `openai`: our own tool loop over any OpenAI-compatible endpoint. It runs in the host itself; the
// commands of its tools are processes of the session.
import { errorText } from '#base/error-text.ts';
import type { Agent, AgentSession, SessionRequest } from '#ports/agent.ts';
import { createEventQueue } from '#agents/shared/event-queue.ts';
import { goneSession } from '#agents/shared/gone-session.ts';
import type { Outcome } from '#agents/shared/outcome.ts';
import { findEndpoint, type Endpoint } from './endpoint.ts';
import { converse, type LoopEnd } from './loop.ts';
import { parseOpenaiOptions, type OpenaiOptions } from './openai-options.ts';
import { createTally } from './tally.ts';
import { createToolbox } from '#agents/openai/tools/toolbox.ts';
import { openTranscript } from './transcript.ts';

/** A short failure costs no session; the run waits out everything longer, because it can park. */
const retryDelaysMs = [1_000, 3_000];

export function createOpenaiAgent(
  options: { readonly [key: string]: unknown },
  patience: readonly number[] = retryDelaysMs,
): Agent {
  const parsed = parseOpenaiOptions(options);
  return {
    driver: 'openai',
    reportsUsage: true,
    resumes: 'by-id',
    start: (request) => startLoop(parsed, request, patience),
  };
}

async function startLoop(
  options: OpenaiOptions,
  request: SessionRequest,
  patience: readonly number[],
): Promise<AgentSession> {
  const endpoint = await findEndpoint(options, request);
  const transcript = await openTranscript(request.env, request.resume);
  if (transcript === null)
    return goneSession(`there is no conversation ${request.resume} to resume`, endpoint.model);
  const queue = createEventQueue();
  const toolbox = createToolbox(request, endpoint.commandEnv);
  const tally = createTally(request.knowledge, endpoint);
  const stop = new AbortController();
  const texts: string[] = [];
  let isInterrupted = false;

  void queue.push({ type: 'session-id', id: transcript.id });
  const loop = converse({
    request,
    options,
    endpoint,
    toolbox,
    transcript,
    tally,
    signal: stop.signal,
    retryDelaysMs: patience,
    push: (event) => queue.push(event),
    texts,
  })
    .catch((error: unknown): LoopEnd => crashOf(error, endpoint))
    .finally(() => queue.end());
  const end = async (reason: string): Promise<void> => {
    stop.abort(new Error(reason));
    toolbox.stop(reason);
    queue.letGo();
    await loop;
  };
  return {
    events: queue.events,
    result: loop.then((ended) => ({
      usage: tally.usage(),
      model: endpoint.model,
      ...endingOf(ended, isInterrupted ? transcript.id : null),
    })),
    send: async (text) => {
      texts.push(text);
    },
    interrupt: async () => {
      isInterrupted = true;
      await end('it was interrupted');
    },
    close: end,
  };
}

function endingOf(ended: LoopEnd, resumeId: string | null): Outcome {
  if (ended.kind !== 'stopped') return ended;
  return resumeId === null
    ? { kind: 'crashed', detail: 'it was closed before its end' }
    : { kind: 'interrupted', resumeId };
}

/** The disk is full, or the transcript cannot be written: the loop itself cannot continue. */
function crashOf(error: unknown, endpoint: Endpoint): LoopEnd {
  return { kind: 'crashed', detail: `the loop could not continue: ${endpoint.redact(errorText(error))}` };
}
