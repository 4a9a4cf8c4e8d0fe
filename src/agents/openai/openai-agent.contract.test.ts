import { afterAll } from 'vitest';
import { agentContract } from '#testing/contracts/agent.ts';
import type { AgentScene } from '#testing/contracts/agent.ts';
import { begin, openEndpoint, say, send, sendChunk } from '#test/agents/fake-endpoint.ts';
import type { Answer } from '#test/agents/fake-endpoint.ts';
import { createOpenaiAgent } from './openai-agent.ts';

/** Says "up" and runs a command; afterwards it is done. */
const runs =
  (command: string): Answer =>
  ({ count }, response) =>
    say(response, count === 1 ? { text: 'up', calls: [['run', { command }]] } : { text: 'done' });

const scenes: { readonly [scene in AgentScene]: Answer } = {
  finishes: (_, response) => say(response, { text: 'hello from the agent' }),
  'uses-a-tool': ({ count }, response) =>
    say(response, count === 1 ? { calls: [['list', {}]] } : { text: 'after the tool' }),
  crashes: (_, response) => {
    begin(response);
    sendChunk(response, { content: 'up' });
    send(response, '<html>the server fell over</html>');
    response.end();
  },
  hangs: runs('sleep 300'),
  'leaves-behind': runs('setsid sleep 300 & sleep 0.1'),
  'ignores-term': runs('trap "" TERM; setsid sleep 300 & while :; do sleep 0.05; done'),
  floods: (_, response) => say(response, { text: 'flood '.repeat(400_000) }),
  'tells-usage': ({ count }, response) =>
    say(response, count < 3 ? { calls: [['list', {}]] } : { text: 'done' }),
  'can-be-interrupted': ({ messages }, response) => {
    const said = messages.flatMap(({ role, content }) => (role === 'user' ? [content] : [])).join('\n\n');
    // The prompt of the scene once, and no message after it.
    const isAlone = said === 'scene can-be-interrupted';
    say(response, isAlone ? { text: 'up', calls: [['run', { command: 'sleep 0.2' }]] } : { text: 'went on' });
  },
  'can-be-resumed': ({ messages }, response) => {
    const isFirst = messages.filter(({ role }) => role === 'user').length === 1;
    say(response, { text: isFirst ? 'began' : 'went on' });
  },
};

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
});

agentContract(async (scene) => {
  const endpoint = await openEndpoint(scenes[scene]);
  closing.push(() => endpoint.close());
  return createOpenaiAgent({ baseUrl: endpoint.baseUrl, model: 'scene' });
});
