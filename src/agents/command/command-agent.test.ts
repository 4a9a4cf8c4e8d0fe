import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Sandbox } from '#ports/sandbox.ts';
import { agentContract } from '#testing/contracts/agent.ts';
import type { AgentScene } from '#testing/contracts/agent.ts';
import { createCommandAgent } from './command-agent.ts';
import { listenTo, plainEnv, sessionRequest } from '#test/agents/session-request.ts';

const scenes: { readonly [scene in AgentScene]: string } = {
  finishes: 'echo hello from the agent; true',
  'uses-a-tool': 'true',
  crashes: 'echo up; kill -9 $$',
  hangs: 'echo up; exec sleep 300; true',
  'leaves-behind': 'setsid sleep 300 & echo up; true',
  'ignores-term': 'trap "" TERM; setsid sleep 300 & echo up; while :; do sleep 0.05; done; true',
  floods: 'yes flood | head -c 2500000; true',
  'tells-usage': 'true',
  'can-be-interrupted': 'true',
  'can-be-resumed': 'true',
};

agentContract((scene) => createCommandAgent({ command: scenes[scene] }), {
  tools: 'plain text has no tool calls',
  usage: 'a plain program tells none',
  interrupt: 'a plain program cannot be resumed',
  send: 'its input is closed once it has the prompt',
  resume: 'a plain program keeps no conversation',
});

const processes = createProcesses({ confine: 'marker' });

async function start(options: { readonly [key: string]: unknown }, prompt: string, by = processes) {
  return createCommandAgent(options).start(
    sessionRequest({
      cwd: tmpdir(),
      prompt,
      graceMs: 200,
      mark: `command-${process.pid}/1`,
      processes: by,
      env: { PATH: plainEnv.PATH },
    }),
  );
}

async function run(options: { readonly [key: string]: unknown }, prompt: string, by = processes) {
  return listenTo(await start(options, prompt, by));
}

const nasty = 'it\'s "quoted" $(touch /tmp/never) `id`; & | \\ \n end';

describe('the command agent', () => {
  it.each([
    ['an argument of a list', { command: ['printf', '%s'], prompt: 'argument' }],
    ['an argument through the shell', { command: 'printf %s', prompt: 'argument' }],
    ['standard input', { command: ['cat'], prompt: 'stdin' }],
    ['a file', { command: ['cat'], prompt: 'file' }],
    ['a file through the shell', { command: 'cat', prompt: 'file' }],
  ])('The command agent passes the prompt as %s, unchanged', async (_, options) => {
    const { text, result } = await run(options, nasty);
    expect(text).toBe(nasty);
    expect(result.kind).toBe('finished');
  });

  it.each(['stdin', 'file'])('The command agent passes a prompt of megabytes by %s', async (prompt) => {
    const { text } = await run({ command: ['wc', '-c'], prompt }, 'é'.repeat(2_000_000));
    expect(text).toContain('4000000');
  });

  it('A prompt that is too long for an argument is refused with what to do [X6]', async () => {
    const problem = start({ command: ['echo'] }, 'x'.repeat(3_000_000));
    await expect(problem).rejects.toMatchObject({
      name: 'OperatorError',
      message: expect.stringContaining('longer than the system allows') as unknown,
      hint: expect.stringContaining('"stdin"') as unknown,
    });
  });

  it('The command agent names a missing program and how to check it, in both forms [X6]', async () => {
    for (const command of [['no-such-agent', '-p'], 'no-such-agent -p']) {
      const problem = start({ command }, 'hi');
      await expect(problem).rejects.toMatchObject({
        name: 'OperatorError',
        message: expect.stringContaining('"no-such-agent" was not found') as unknown,
        hint: expect.stringContaining('command -v no-such-agent') as unknown,
      });
    }
  });

  it('A sandbox that cannot be set up is named, and not mistaken for a missing program [X6]', async () => {
    const args = ['-c', 'echo "bwrap: no such folder" >&2; exit 1'];
    const sandbox: Sandbox = {
      kind: 'bubblewrap',
      wrap: ({ env }) => ({ file: '/bin/sh', args, env, isNamespace: false, release: async () => {} }),
      close: () => {},
    };
    const { result } = await run({ command: 'cat -' }, 'hi', createProcesses({ confine: 'marker', sandbox }));
    expect(result).toMatchObject({ kind: 'crashed', detail: 'exit 1: bwrap: no such folder' });
  });

  it('Standard output is the text of the assistant, and standard error is a notice', async () => {
    const { text, notices, result } = await run({ command: 'echo said; echo warned >&2; true' }, '');
    expect([text, notices, result.kind]).toEqual(['said\n', 'warned\n', 'finished']);
  });

  it('A crashed command is reported with its exit and its last error line', async () => {
    const { result } = await run({ command: 'echo "no credit" >&2; exit 4; :' }, '');
    expect(result).toMatchObject({
      kind: 'crashed',
      detail: 'exit 4: no credit',
      usage: { usd: null, tokens: null },
    });
  });

  it('The command agent never splits a character, however the bytes arrive', async () => {
    const command = "printf 'a\\303'; sleep 0.1; printf '\\251b'; true";
    expect((await run({ command }, '')).text).toBe('aéb');
  });

  it('The command agent adds its own environment to the given one [B11]', async () => {
    const { text } = await run(
      { command: 'echo "$WHO-$UNTILDONE_PROMPT_FILE"; true', env: { WHO: 'me' } },
      '',
    );
    expect(text).toBe('me-\n');
  });

  it.each([
    ['no command', {}, /needs "command"/],
    ['an empty command', { command: [] }, /needs "command"/],
    ['an unknown option', { command: 'x', comand: 'y' }, /no option "comand"/],
    ['a wrong prompt', { command: 'x', prompt: 'telepathy' }, /"argument", "stdin" or "file"/],
    ['a wrong output', { command: 'x', output: 'xml' }, /text, claude, codex, gemini, opencode, not "xml"/],
    ['a wrong environment', { command: 'x', env: { A: 1 } }, /"A" is none/],
  ])('The command agent refuses %s in one sentence [X6]', (_, options, sentence) => {
    expect(() => createCommandAgent(options)).toThrow(OperatorError);
    expect(() => createCommandAgent(options)).toThrow(sentence);
  });
});
