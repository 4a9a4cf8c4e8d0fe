import { afterAll, describe, expect, it } from 'vitest';
import { agentContract } from '#testing/contracts/agent.ts';
import { createAcpAgent } from './acp-agent.ts';
import { commandFor, createTestBed } from '#test/agents/acp-bed.ts';

agentContract((scene) => createAcpAgent({ command: commandFor(scene) }), {
  send: 'the protocol cannot steer a running turn; what is said waits for its end',
});

const { cwd, processes, start, run, heardBy, dispose } = createTestBed();
afterAll(dispose);

describe('opening a session', () => {
  it('asks in the order of the protocol and takes the workspace along [B3]', async () => {
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
  ])('picks the mode from those on offer: %s', async (_, modes, readOnly, modeId) => {
    const { of } = await heardBy('finishes', { flags: { modes }, request: { readOnly } });
    expect(of('session/set_mode')).toEqual([{ sessionId: 'fake-1', modeId }]);
  });

  it('sets modes and models as configuration options where the agent has them so', async () => {
    const flags = { configModes: ['build', 'plan'], configModels: ['a/one', 'a/two'] };
    const { of, result } = await heardBy('finishes', { flags, request: { readOnly: true, model: 'a/two' } });
    expect(of('session/set_config_option')).toEqual([
      { sessionId: 'fake-1', configId: 'mode', value: 'plan' },
      { sessionId: 'fake-1', configId: 'model', value: 'a/two' },
    ]);
    expect(result.model).toBe('a/two');
  });

  it('sets the model by its own method where the agent has that, and tells the one in use', async () => {
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
  ])('refuses %s in one sentence, and leaves nothing running [X6]', async (_, told, sentence) => {
    const mark = `acp-${process.pid}/refused`;
    const request = { ...('request' in told ? told.request : {}), mark };
    await expect(start('finishes', { ...told, request })).rejects.toMatchObject({
      name: 'OperatorError',
      message: expect.stringMatching(sentence) as unknown,
    });
    expect(await processes.sweep(mark)).toEqual([]);
  });

  it.each([
    ['a list', ['no-such-agent', '--acp']],
    ['a shell command', 'no-such-agent --acp'],
  ])('names a missing program given as %s [X6]', async (_, command) => {
    await expect(start('', { options: { command } })).rejects.toMatchObject({
      name: 'OperatorError',
      message: expect.stringContaining('"no-such-agent" was not found') as unknown,
    });
  });

  it('is crashed, with what it said, when it goes away before it answers', async () => {
    const { result } = await run('', {
      options: { command: 'echo "Usage: agent"; echo "bad flag" >&2; exit 3' },
    });
    expect(result).toMatchObject({
      kind: 'crashed',
      detail: expect.stringMatching(/exit 3: .*bad flag/s) as unknown,
    });
  });
});

describe('the options', () => {
  it.each([
    ['no command', {}, /needs "command"/],
    ['an unknown option', { command: 'x', modes: {} }, /no option "modes"/],
    ['an unknown role in mode', { command: 'x', mode: { verifier: 'plan' } }, /not "verifier"/],
    ['wrong permissions', { command: 'x', permissions: 'ask' }, /"allow", "deny" or "by-role"/],
    ['an empty model', { command: 'x', model: '' }, /"model" as a name/],
    ['no time to resume', { command: 'x', resumeTimeoutMs: 0 }, /"resumeTimeoutMs" as a whole number/],
    ['a wrong environment', { command: 'x', env: { A: 1 } }, /"A" is none/],
  ])('refuse %s in one sentence [X6]', (_, options, sentence) => {
    expect(() => createAcpAgent(options)).toThrow(sentence);
  });
});
