import { afterAll, describe, expect, it } from 'vitest';
import { agentContract } from '#testing/contracts/agent.ts';
import { createAcpAgent } from './acp-agent.ts';
import { commandFor, createTestBed } from '#test/agents/acp-bed.ts';

agentContract((scene) => createAcpAgent({ command: commandFor(scene) }), {
  send: 'the protocol cannot steer a running turn; what is said waits for its end',
});

const { cwd, processes, start, run, heardBy, dispose } = createTestBed();
afterAll(dispose);

describe('opening an ACP session', () => {
  it('An ACP session opens in the order of the protocol and passes the workspace [B3]', async () => {
    const { order, of } = await heardBy('finishes');
    expect(order).toEqual(['initialize', 'session/new', 'session/prompt']);
    expect(of('session/new')).toEqual([{ cwd, mcpServers: [] }]);
    expect(of('initialize')[0]).toMatchObject({
      protocolVersion: 1,
      clientCapabilities: { terminal: false },
    });
  });

  it.each([
    ['plan for a reviewer', ['default', 'yolo', 'plan'], true, 'plan'],
    ['read-only before plan', ['agent', 'plan', 'read-only'], true, 'read-only'],
    ['default for a builder', ['plan', 'default'], false, 'default'],
    ['agent for a builder, although it says to be in it', ['agent', 'read-only'], false, 'agent'],
  ])('An ACP session picks its mode from those on offer: %s', async (_, modes, readOnly, modeId) => {
    const { of } = await heardBy('finishes', { flags: { modes }, request: { readOnly } });
    expect(of('session/set_mode')).toEqual([{ sessionId: 'fake-1', modeId }]);
  });

  it('An ACP session sets modes and models as configuration options if the agent offers them that way', async () => {
    const flags = { configModes: ['build', 'plan'], configModels: ['a/one', 'a/two'] };
    const { of, result } = await heardBy('finishes', { flags, request: { readOnly: true, model: 'a/two' } });
    expect(of('session/set_config_option')).toEqual([
      { sessionId: 'fake-1', configId: 'mode', value: 'plan' },
      { sessionId: 'fake-1', configId: 'model', value: 'a/two' },
    ]);
    expect(result.model).toBe('a/two');
  });

  it('An ACP session sets the model by its own method if the agent has one, and reports the model in use', async () => {
    const flags = { models: ['small', 'large'] };
    const chosen = await heardBy('finishes', { flags, options: { model: 'large' } });
    expect(chosen.of('session/set_model')).toEqual([{ sessionId: 'fake-1', modelId: 'large' }]);
    expect(chosen.result.model).toBe('large');
    const unlisted = await heardBy('finishes', { flags, request: { model: 'huge' } });
    expect(unlisted.of('session/set_model')).toEqual([{ sessionId: 'fake-1', modelId: 'huge' }]);
    const left = await heardBy('finishes', { flags });
    expect(left.of('session/set_model')).toEqual([]);
    expect(left.result.model).toBe('small');
  });

  it.each([
    [
      'a mode that is not offered',
      { options: { mode: { builder: 'nope' } }, flags: { modes: ['a', 'b'] } },
      /no mode "nope"/,
    ],
    [
      'a model that is not offered',
      { request: { model: 'nope' }, flags: { configModels: ['a'] } },
      /not offer the model "nope"/,
    ],
    ['a model where none can be chosen', { request: { model: 'x' } }, /does not let its model be chosen/],
    ['another version of the protocol', { flags: { version: 2 } }, /speaks version 2/],
  ])(
    'An ACP session refuses %s in one sentence, and leaves nothing running [X6]',
    async (_, told, sentence) => {
      const mark = `acp-${process.pid}/refused`;
      const request = { ...('request' in told ? told.request : {}), mark };
      await expect(start('finishes', { ...told, request })).rejects.toMatchObject({
        name: 'OperatorError',
        message: expect.stringMatching(sentence) as unknown,
      });
      expect(await processes.sweep(mark)).toEqual([]);
    },
  );

  it.each([
    ['a list', ['no-such-agent', '--acp']],
    ['a shell command', 'no-such-agent --acp'],
  ])('A missing ACP program given as %s is named [X6]', async (_, command) => {
    await expect(start('', { options: { command } })).rejects.toMatchObject({
      name: 'OperatorError',
      message: expect.stringContaining('"no-such-agent" was not found') as unknown,
    });
  });

  it('An ACP agent that exits before it answers has crashed, with its output as the detail', async () => {
    const { result } = await run('', {
      options: { command: 'echo "Usage: agent"; echo "bad flag" >&2; exit 3' },
    });
    expect(result).toMatchObject({
      kind: 'crashed',
      detail: expect.stringMatching(/exit 3: .*bad flag/s) as unknown,
    });
  });
});

describe('the options of the ACP agent', () => {
  it.each([
    ['no command', {}, /needs "command"/],
    ['an unknown option', { command: 'x', modes: {} }, /no option "modes"/],
    ['an unknown role in mode', { command: 'x', mode: { verifier: 'plan' } }, /not "verifier"/],
    ['wrong permissions', { command: 'x', permissions: 'ask' }, /"allow", "deny" or "by-role"/],
    ['an empty model', { command: 'x', model: '' }, /"model" as a name/],
    ['no time to resume', { command: 'x', resumeTimeoutMs: 0 }, /"resumeTimeoutMs" as a whole number/],
    ['a wrong environment', { command: 'x', env: { A: 1 } }, /"A" is none/],
  ])('The options of the ACP agent refuse %s in one sentence [X6]', (_, options, sentence) => {
    expect(() => createAcpAgent(options)).toThrow(sentence);
  });
});
