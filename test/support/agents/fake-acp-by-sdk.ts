// An agent on the protocol's own SDK, for tests: `node fake-acp-by-sdk.ts <scene> [flags as JSON]`. The SDK checks
// each message that it gets against the protocol's schemas, and the compiler each one that is sent from here.
import { Readable, Writable } from 'node:stream';
import { agent, ndJsonStream } from '@agentclientprotocol/sdk';
import type {
  AgentContext,
  NewSessionResponse,
  PromptResponse,
  RequestPermissionRequest,
  SessionConfigOption,
  SessionUpdate,
} from '@agentclientprotocol/sdk';

const [scene = 'works', given = '{}'] = process.argv.slice(2);
const { resume = 'resume', file = '' } = JSON.parse(given) as { resume?: 'resume' | 'load'; file?: string };
const sessionId = 'by-sdk';
const cancelled = Promise.withResolvers<void>();
let isResumed = false;

const option = (category: string, values: readonly string[]): SessionConfigOption => ({
  id: category,
  name: category,
  category,
  type: 'select',
  currentValue: values[0] ?? '',
  options: values.map((value) => ({ value, name: value })),
});
const offered = (): Omit<NewSessionResponse, 'sessionId'> => ({
  ...(scene === 'has-modes' && {
    modes: {
      currentModeId: 'default',
      availableModes: ['default', 'plan'].map((id) => ({ id, name: id })),
    },
  }),
  configOptions: [
    ...(scene === 'has-modes' ? [] : [option('mode', ['build', 'plan'])]),
    option('model', ['small', 'large']),
  ],
});

const tell = (client: AgentContext, update: SessionUpdate): Promise<void> =>
  client.notify('session/update', { sessionId, update });
const say = (client: AgentContext, text: string): Promise<void> =>
  tell(client, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

async function work(client: AgentContext): Promise<PromptResponse> {
  const toolCall = { toolCallId: 't1', title: 'write', kind: 'edit' } as const;
  await tell(client, { sessionUpdate: 'tool_call', ...toolCall, status: 'pending' });
  const question: RequestPermissionRequest = {
    sessionId,
    toolCall,
    options: [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  };
  const { outcome } = await client.request('session/request_permission', question);
  const isAllowed = outcome.outcome === 'selected' && outcome.optionId === 'yes';
  if (isAllowed) {
    await client.request('fs/write_text_file', { sessionId, path: file, content: 'by the agent' });
    const { content } = await client.request('fs/read_text_file', { sessionId, path: file });
    await tell(client, {
      sessionUpdate: 'tool_call_update',
      toolCallId: 't1',
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: content } }],
    });
  }
  await say(client, isAllowed ? 'written' : 'refused');
  return { stopReason: 'end_turn' };
}

async function play(client: AgentContext): Promise<PromptResponse> {
  if (scene !== 'waits') return work(client);
  await say(client, isResumed ? 'went on' : 'up');
  if (isResumed) return { stopReason: 'end_turn' };
  await cancelled.promise;
  return { stopReason: 'cancelled' };
}

agent({ name: 'by-sdk' })
  .onRequest('initialize', () => ({
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: resume === 'load',
      sessionCapabilities: resume === 'resume' ? { resume: {} } : {},
    },
  }))
  .onRequest('session/new', () => ({ sessionId, ...offered() }))
  .onRequest('session/resume', () => {
    isResumed = true;
    return offered();
  })
  .onRequest('session/load', async ({ client }) => {
    isResumed = true;
    await say(client, 'OLD WORDS');
    return offered();
  })
  .onRequest('session/set_mode', () => ({}))
  .onRequest('session/set_config_option', () => ({ configOptions: offered().configOptions ?? [] }))
  .onRequest('session/prompt', ({ client }) => play(client))
  .onNotification('session/cancel', () => cancelled.resolve())
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
