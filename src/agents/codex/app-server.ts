// Runs a session through `codex app-server`: one thread, a turn for the prompt, messages while it runs.
import { errorText } from '#base/error-text.ts';
import { describeProcessEnding, type ProcessEnding } from '#kernel/model/ending.ts';
import type { AgentEvent, AgentResult, AgentSession, SessionRequest } from '#ports/agent.ts';
import { createEventQueue } from '#agents/shared/event-queue.ts';
import { PeerGone, RpcError, rpcCodes } from '#agents/shared/json-rpc.ts';
import { openLink, type AppLink, type LinkHandlers } from './app-link.ts';
import { answerRequest } from './approvals.ts';
import { notice } from './codex-items.ts';
import { cut } from '#agents/shared/client-words.ts';
import type { CodexOptions } from './codex-options.ts';
import { goneWords, lostThread, openThread, sandboxOf } from './open-thread.ts';
import { closeClient } from '#agents/shared/client-process.ts';
import { whyNotOpened } from './start-problem.ts';
import { createThreadReader } from './thread-reader.ts';
import { failureOf, isHopeless, type CodexError, type CodexFailure } from './turn-error.ts';
import { fieldsOf, textOf } from '#agents/shared/json.ts';

/** The result of the conversation; the first one wins. */
type Conclusion = { readonly kind: 'finished' } | { readonly kind: 'stopped' } | CodexFailure;

export interface NoAppServer {
  readonly unsupported: string;
}

/** Time between asking a turn to stop and ending it ourselves: its thread is on disk in any case. */
const interruptMsMax = 5_000;
/** Limit for retries of codex without progress; codex itself would retry for half an hour. */
const retryMsMax = 120_000;
/** The turn is over: the way its process ends no longer matters. */
const answered: ProcessEnding = { kind: 'exited', code: 0 };

export async function startAppServer(
  options: CodexOptions,
  request: SessionRequest,
  notices: readonly string[],
): Promise<AgentSession | NoAppServer> {
  const stage = createStage(request);
  const handlers = handlersOf(stage, options, request);
  const link = openLink(options, request, handlers);
  stage.link = link;
  for (const text of notices) void stage.hand([notice(text)]);
  try {
    if (!link.isStarted) throw new PeerGone('it could not be started');
    const opening = await openThread(link, options, request);
    if (opening.kind === 'unsupported') return await giveUp(link, opening.why);
    if (opening.kind === 'again') {
      await giveUp(link, 'it needs other settings');
      const config = { ...options.config, ...opening.config };
      return await startAppServer({ ...options, config }, request, notices);
    }
    if (opening.kind === 'failed') stage.conclude(opening);
    else await firstTurn(stage, opening, request);
  } catch (error) {
    const problem = await giveUp(link, errorText(error));
    return whyNotOpened({
      error,
      options,
      ending: await link.ended,
      complaint: link.complaint(),
      ...problem,
    });
  }
  stage.isOpen = true;
  return sessionOf(stage, link);
}

type Stage = ReturnType<typeof createStage>;

function createStage(request: SessionRequest) {
  const queue = createEventQueue();
  const reader = createThreadReader(request.knowledge, request.resume);
  const stage = {
    queue,
    reader,
    link: null as AppLink | null,
    threadId: '',
    /** Until a reader is attached, nothing waits for one. */
    isOpen: false,
    isStopping: false,
    /** Messages on their way: if the turn ends before they arrive, another turn follows for them. */
    sending: 0,
    stuckSince: null as number | null,
    conclusion: null as Conclusion | null,
    concluded: Promise.withResolvers<void>(),
    conclude: (conclusion: Conclusion): void => {
      if (stage.conclusion !== null) return;
      stage.conclusion = conclusion;
      stage.concluded.resolve();
      stage.link?.leave();
    },
    fail: (error: CodexError): void => {
      const { knowledge } = request;
      stage.conclude(failureOf(error, { knowledge, now: Date.now(), windowResetAt: reader.windowResetAt() }));
    },
    hand: async (events: readonly AgentEvent[]): Promise<void> => {
      for (const event of events) {
        const taken = queue.push(event);
        if (stage.isOpen) await taken;
      }
    },
  };
  return stage;
}

function handlersOf(stage: Stage, options: CodexOptions, request: SessionRequest): LinkHandlers {
  const { reader } = stage;
  const policy = {
    readOnly: request.readOnly,
    cwd: request.cwd,
    sandbox: sandboxOf(options, request),
    changedPaths: reader.changedPaths,
  };
  return {
    onRequest: async (method, params) => {
      const answer = answerRequest(method, params, policy);
      await stage.hand([notice(answer.reply)]);
      if (answer.result === null) throw new RpcError(rpcCodes.methodNotFound, 'not supported');
      return answer.result;
    },
    onNotification: async (method, params) => {
      await stage.hand(reader.onNotification(method, params));
      afterNotification(stage);
    },
    onGarbage: async ({ text, cutBytes }) => {
      await stage.hand([
        notice(cutBytes > 0 ? `a line of ${cutBytes} bytes and more was left out: ${cut(text, 200)}` : text),
      ]);
      if (text.includes('"turn/completed"')) stage.link?.kill('its last message was too long to read');
    },
    onComplaint: (text) => stage.hand([notice(text)]),
  };
}

function afterNotification(stage: Stage): void {
  const { reader } = stage;
  const end = reader.turnEnd();
  if (end?.kind === 'failed') return stage.fail(end.error);
  if (end?.kind === 'interrupted') return stage.conclude({ kind: 'stopped' });
  if (end?.kind === 'completed' && stage.sending === 0) return stage.conclude({ kind: 'finished' });
  const retrying = reader.retrying();
  if (retrying === null) {
    stage.stuckSince = null;
    return;
  }
  stage.stuckSince ??= performance.now();
  const isStuck = performance.now() - stage.stuckSince > retryMsMax;
  if (isStuck || (retrying.count > 1 && isHopeless(retrying.error))) stage.fail(retrying.error);
}

async function firstTurn(
  stage: Stage,
  opening: { readonly threadId: string; readonly model: string | null },
  request: SessionRequest,
): Promise<void> {
  stage.threadId = opening.threadId;
  stage.reader.opened(opening.threadId, opening.model);
  await stage.hand([{ type: 'session-id', id: opening.threadId }]);
  try {
    await startTurn(stage, request.prompt);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    // Codex forgets a thread in which no turn ever ran.
    if (request.resume !== null && goneWords.test(error.message))
      stage.conclude(lostThread(error.message, request));
    else stage.fail({ message: error.message, info: null });
  }
}

async function startTurn(stage: Stage, text: string): Promise<void> {
  stage.reader.turnAsked();
  const reply = await stage.link?.ask('turn/start', { threadId: stage.threadId, input: inputOf(text) });
  stage.reader.turnStarted(textOf(fieldsOf(reply?.['turn'])['id']));
}

function inputOf(text: string): readonly object[] {
  return [{ type: 'text', text, text_elements: [] }];
}

function sessionOf(stage: Stage, link: AppLink): AgentSession {
  const { queue } = stage;
  const result = link.ended.then(async (ending): Promise<AgentResult> => {
    queue.end();
    await queue.done;
    return resultOf(stage, ending, link.complaint());
  });
  const concluded = Promise.race([stage.concluded.promise.then(() => answered), link.ended]).then(
    async (ending) => {
      await queue.allRead();
      return resultOf(stage, ending, link.complaint());
    },
  );
  return {
    events: queue.events,
    concluded,
    result,
    send: (text) => send(stage, link, text),
    interrupt: async () => {
      if (stage.conclusion !== null) return;
      // A second interrupt of the same turn is never answered.
      if (stage.isStopping) {
        await link.ended;
        return;
      }
      stage.isStopping = true;
      const timer = setTimeout(() => link.kill('it did not stop'), interruptMsMax);
      // Codex never answers for a turn that is over; only its exit counts.
      link.ask('turn/interrupt', { threadId: stage.threadId, turnId: stage.reader.turnId() }).catch(() => {});
      await link.ended;
      clearTimeout(timer);
    },
    close: closeClient(link, queue),
  };
}

async function send(stage: Stage, link: AppLink, text: string): Promise<void> {
  if (stage.conclusion !== null || stage.isStopping) throw new Error('The session is over.');
  const { threadId, reader } = stage;
  stage.sending += 1;
  try {
    await link.ask('turn/steer', { threadId, expectedTurnId: reader.turnId(), input: inputOf(text) });
  } catch (error) {
    if (!(error instanceof RpcError) || stage.conclusion !== null || stage.isStopping) throw error;
    await startTurn(stage, text);
  } finally {
    stage.sending -= 1;
    afterNotification(stage);
  }
}

function resultOf(stage: Stage, ending: ProcessEnding, complaint: string): AgentResult {
  const { conclusion, reader, threadId, isStopping } = stage;
  const reply = { usage: reader.usage(), model: reader.model() };
  if (conclusion?.kind === 'finished') return { ...reply, kind: 'finished' };
  if (conclusion?.kind === 'failed') return { ...reply, ...conclusion };
  if (isStopping) return { ...reply, kind: 'interrupted', resumeId: threadId };
  const how =
    conclusion?.kind === 'stopped' ? 'codex stopped its turn by itself' : describeProcessEnding(ending);
  return { ...reply, kind: 'crashed', detail: complaint === '' ? how : `${how}: ${complaint}` };
}

async function giveUp(link: AppLink, why: string): Promise<NoAppServer> {
  link.kill('it could not be used');
  await link.ended;
  return { unsupported: why };
}
