// The agent contract, with the real Claude Code.
import { describe } from 'vitest';
import { createClaudeAgent } from '#agents/claude/claude-agent.ts';
import { agentContract } from '#testing/contracts/agent.ts';
import { claude, claudeEnv, claudeOptions } from './claude-place.ts';
import type { Via } from './claude-place.ts';
import type { Asked, Model, ModelReply } from './model.ts';
import { call, say, startModel } from './model.ts';

const long = "perl -e 'sleep 290'";

/** Each scene of the contract as a script of the model; `$PPID` of a tool is the client. */
const scenes: { readonly [scene: string]: (asked: Asked) => ModelReply } = {
  finishes: () => say('hello from the agent'),
  'uses-a-tool': ({ results }) =>
    results === 0 ? call('Bash', { command: 'echo hi' }) : say('after the tool'),
  crashes: ({ results }) =>
    results === 0 ? { ...say('up'), ...call('Bash', { command: 'kill -9 $PPID' }) } : say('?'),
  hangs: ({ results }) => (results === 0 ? { ...say('up'), ...call('Bash', { command: long }) } : say('?')),
  'leaves-behind': ({ results }) =>
    results === 0 ? call('Bash', { command: `setsid ${long} > /dev/null 2>&1 & echo started` }) : say('up'),
  'ignores-term': ({ results }) => {
    const command = `setsid sh -c 'trap "" TERM; ${long.replaceAll("'", '"')}' & trap "" TERM; while :; do ${long}; done`;
    return results === 0 ? { ...say('up'), ...call('Bash', { command }) } : say('?');
  },
  floods: () => say('flood '.repeat(400_000)),
  'tells-usage': ({ results }) => (results === 0 ? call('Bash', { command: 'true' }) : say('told')),
  'can-be-interrupted': ({ results }) =>
    results === 0 ? { ...say('up'), ...call('Bash', { command: "perl -e 'sleep 5'" }) } : say('went on'),
  'can-be-resumed': ({ text }) => say(text.includes('began') ? 'went on' : 'began'),
};

const model: Promise<Model> | null = claude.isMissing
  ? null
  : startModel({
      requestsMax: 200,
      reply: (asked) => {
        const scene = /scene ([a-z-]+)/.exec(asked.text)?.[1] ?? '';
        return scenes[scene]?.(asked) ?? say(`no such scene: ${scene}`);
      },
    });

describe.skipIf(claude.isMissing)(`The contract of the real Claude Code${claude.note}`, () => {
  describe.each<Via>(['cli', 'sdk'])('Claude Code by %s', (via) => {
    agentContract(async () =>
      createClaudeAgent({ ...claudeOptions(via), env: model === null ? {} : claudeEnv(await model) }),
    );
  });
});
