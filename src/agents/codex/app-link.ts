// One `codex app-server` and the connection to it, with time limits for requests and backpressure.
import { stripVTControlCharacters } from 'node:util';
import type { ProcessEnding } from '#kernel/model/ending.ts';
import { durationWords } from '#base/duration-words.ts';
import type { SessionRequest } from '#ports/agent.ts';
import { startClient } from '#agents/shared/client-process.ts';
import { createBoundedLines } from '#agents/shared/bounded-lines.ts';
import { inTime } from '#agents/shared/in-time.ts';
import { createPeer, type PeerHandlers } from '#agents/shared/json-rpc.ts';
import { configFlags } from './config-flags.ts';
import type { CodexOptions } from './codex-options.ts';
import type { Fields } from '#agents/shared/json.ts';

export interface AppLink {
  /** Contract: rejects with an RpcError on refusal, with a PeerGone if codex is gone or silent too long. */
  ask(method: string, params: Fields, answerMs?: number): Promise<Fields>;
  note(method: string): void;
  /** The conversation is over: codex may exit by itself, and is killed if it does not. */
  leave(): void;
  kill(reason: string): void;
  /** Settles when no process of it is alive and all its output was delivered. */
  readonly ended: Promise<ProcessEnding>;
  readonly isStarted: boolean;
  /** The last text on standard error. */
  complaint(): string;
}

export interface LinkHandlers extends Pick<PeerHandlers, 'onRequest' | 'onNotification' | 'onGarbage'> {
  onComplaint(text: string): void | Promise<void>;
}

/** A busy machine needs time; an answer that takes longer does not come. */
const answerMsMax = 60_000;
/** Saving the thread takes a moment; a hanging one is killed. */
const leaveMsMax = 3_000;
/** A whole answer is repeated in one line. */
const lineBytesMax = 64 * 1024 * 1024;

export function openLink(options: CodexOptions, request: SessionRequest, handlers: LinkHandlers): AppLink {
  const lines = createBoundedLines((line) => peer.receive(line), lineBytesMax);
  let complaint = '';
  const running = startClient(request, {
    command: [options.binary, 'app-server', ...configFlags(options.config)],
    env: request.env,
    onOutput: (chunk, stream) => {
      if (stream === 'stdout') return lines.add(chunk);
      const text = stripVTControlCharacters(chunk.toString('utf8'));
      complaint = (complaint + text).slice(-500);
      return handlers.onComplaint(text);
    },
  });
  const peer = createPeer({ ...handlers, write: (text) => running.write(text) });
  const ended = running.ended.then(async (ending) => {
    await lines.end();
    peer.leave('codex ended');
    return ending;
  });
  return {
    ask: (method, params, answerMs = answerMsMax) =>
      inTime(peer.request(method, params), answerMs, () => new NoAnswer(method, answerMs)),
    note: (method) => peer.notify(method, {}),
    leave: () => {
      running.closeInput();
      setTimeout(() => running.kill('the session is over'), leaveMsMax).unref();
    },
    kill: (reason) => running.kill(reason),
    ended,
    isStarted: running.pid !== null,
    complaint: () => complaint.trim(),
  };
}

export class NoAnswer extends Error {
  constructor(method: string, answerMs: number) {
    super(`it gave no answer to "${method}" within ${durationWords(answerMs)}`);
    this.name = 'NoAnswer';
  }
}
