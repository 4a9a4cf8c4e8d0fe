// A model on loopback that says what a test wants: aimock speaks the providers' languages, and a server of our own
// stands before it, which sees the raw requests and does what a provider does on its worse days.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';
import { startFront } from './model-front.ts';
import type { Fault, RawRequest } from './model-front.ts';

/** A request in the one form to which aimock brings them all. */
export interface ModelRequest {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly model?: string;
  readonly tools?: readonly unknown[];
}

export interface ModelReply {
  readonly content?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[];
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
}

export interface ModelScript {
  /** What the model answers. `results` counts the tool results in the conversation so far. */
  reply(request: Asked): ModelReply | Promise<ModelReply>;
  /** What happens to the n-th request (from 1) instead, or to its answer. */
  fault?(n: number, request: RawRequest): Fault | null;
  /** A script that runs wild must not run for ever. */
  readonly requestsMax?: number;
}

export interface Asked {
  readonly text: string;
  readonly results: number;
  readonly request: ModelRequest;
}

export interface Model {
  readonly url: string;
  /** Every request as it came, faults included. */
  readonly requests: readonly RawRequest[];
  close(): Promise<void>;
}

interface Mock {
  readonly url: string;
  on(match: { predicate: () => boolean }, reply: (request: ModelRequest) => Promise<ModelReply>): void;
  start(): Promise<unknown>;
  stop(): Promise<unknown>;
}

const models: Model[] = [];

afterAll(async () => {
  await Promise.all(models.splice(0).map((model) => model.close()));
});

export const usage = { input_tokens: 1_000, output_tokens: 50 };

export async function startModel(script: ModelScript): Promise<Model> {
  const mock = await createMock();
  mock.on({ predicate: () => true }, async (request) => ({
    usage,
    ...(await script.reply({
      text: JSON.stringify(request.messages),
      results: request.messages.filter(({ role }) => role === 'tool').length,
      request,
    })),
  }));
  await mock.start();
  const front = await startFront({
    target: mock.url,
    fault: (n, request) => script.fault?.(n, request) ?? null,
    requestsMax: script.requestsMax ?? 60,
  });
  const model: Model = {
    url: front.url,
    requests: front.requests,
    close: async () => {
      await front.close();
      await mock.stop();
    },
  };
  models.push(model);
  return model;
}

export function call(name: string, input: object): ModelReply {
  return { toolCalls: [{ name, arguments: JSON.stringify(input) }] };
}

export function say(content: string): ModelReply {
  return { content };
}

/** It is no dependency of the repository, so nothing of it is known to the compiler. */
async function createMock(): Promise<Mock> {
  const file = createRequire(join(import.meta.dirname, 'clients/package.json')).resolve('@copilotkit/aimock');
  const { LLMock } = (await import(pathToFileURL(file).href)) as {
    LLMock: new (options: object) => Mock;
  };
  return new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
}
