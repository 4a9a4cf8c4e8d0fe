// The conversation with an endpoint: the messages so far, and the dialect of its requests.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from './chat.ts';
import { complete, type Completion } from './completion.ts';
import { adapt, bodyOf, plainDialect } from './dialect.ts';
import type { LoopWorld } from './loop.ts';
import { answerOpenCalls, shortenOld, systemPrompt } from './messages.ts';
import { createVoice } from './voice.ts';

export interface Talk {
  add(message: Message): Promise<void>;
  /** The ids of calls that already have a result. */
  answeredIds(): ReadonlySet<string>;
  /** Contract: the model's text is pushed as it arrives, and all of it before this resolves. */
  ask(withTools: boolean): Promise<Completion>;
}

export async function openTalk(world: LoopWorld): Promise<Talk> {
  const { request, transcript } = world;
  const system: Message = { role: 'system', content: systemPrompt(request.readOnly) };
  const before = answerOpenCalls(transcript.before.slice(1), 'Error: the session was interrupted.');
  const kept = { messages: [system, ...before] };
  const add = async (message: Message): Promise<void> => {
    kept.messages.push(message);
    await transcript.add(message);
  };
  if (transcript.before.length === 0) await transcript.add(system);
  await add({ role: 'user', content: request.prompt });
  return {
    add,
    answeredIds: () =>
      new Set(kept.messages.flatMap((one) => (one.role === 'tool' ? [one.tool_call_id] : []))),
    ask: createAsking(world, kept),
  };
}

function createAsking(world: LoopWorld, kept: { messages: Message[] }): Talk['ask'] {
  const { request, options, endpoint, toolbox, signal, push } = world;
  const voice = createVoice(push);
  let dialect = plainDialect;
  const askOnce = async (withTools: boolean): Promise<Completion> => {
    voice.begin();
    const tools = withTools ? toolbox.definitions : [];
    const body = bodyOf(dialect, options, { model: endpoint.model, messages: kept.messages, tools });
    const { knowledge, env } = request;
    const onBytes = (): void => request.onOutput?.();
    const completion = await complete({ endpoint, body, listener: voice, signal, knowledge, env, onBytes });
    await voice.flush();
    return completion;
  };
  const speakOtherwise = (completion: Completion): boolean => {
    const adapted = adapt(dialect, completion);
    dialect = adapted ?? dialect;
    return adapted !== null;
  };
  const makeRoom = async (completion: Completion): Promise<boolean> => {
    const isFull = completion.kind === 'failed' && completion.errorClass === 'context-overflow';
    const shorter = isFull ? shortenOld(kept.messages) : null;
    if (shorter === null) return false;
    kept.messages = shorter;
    await push({ type: 'notice', text: 'The context is full: what is old is shortened.' });
    return true;
  };
  /** Only if nothing was received yet, so that no text appears twice. */
  const wait = async (completion: Completion, delayMs: number | undefined): Promise<boolean> => {
    if (completion.kind !== 'failed' || delayMs === undefined || voice.hasSpoken()) return false;
    if (completion.errorClass !== 'overloaded' && completion.errorClass !== 'network') return false;
    await push({ type: 'notice', text: `Trying again in ${delayMs} ms: ${completion.detail}` });
    await sleep(delayMs, undefined, { signal }).catch(() => {});
    return true;
  };
  return async (withTools) => {
    const delays = [...world.retryDelaysMs];
    for (;;) {
      const completion = await askOnce(withTools);
      if (completion.kind === 'reply' || signal.aborted) return completion;
      if (speakOtherwise(completion) || (await makeRoom(completion))) continue;
      if (!(await wait(completion, delays.shift())) || signal.aborted) return completion;
    }
  };
}
