// The openai driver in the packed program, against an endpoint of our own on loopback.
import { afterEach, describe, expect, it } from 'vitest';
import { openEndpoint, say, sendJson } from '#test/agents/fake-endpoint.ts';
import type { Answer, Asked, FakeEndpoint } from '#test/agents/fake-endpoint.ts';
import { filesOf, roles } from './looking.ts';
import { makePlace } from './place.ts';
import type { Place } from './place.ts';
import { send } from './processes.ts';
import { until } from './wait.ts';

const opened: FakeEndpoint[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
});

async function prepare(
  answer: Answer,
  config = {},
): Promise<{ readonly place: Place; readonly asked: Asked[] }> {
  const place = makePlace();
  const endpoint = await openEndpoint(answer);
  opened.push(endpoint);
  const agents = { mine: { driver: 'openai', baseUrl: endpoint.baseUrl, model: 'm' } };
  place.write('repo/.untildone/config.jsonc', JSON.stringify({ agents, ...config }));
  return { place, asked: endpoint.asked };
}

const order = ['run', 'make done.txt', '--check', 'test -f done.txt', '--agent', 'mine'];

async function run(answer: Answer, more: readonly string[] = [], config = {}) {
  const { place, asked } = await prepare(answer, config);
  return { place, asked, ...(await place.untildone([...order, ...more])) };
}

function isVerifier({ body }: Asked): boolean {
  return !JSON.stringify(body['tools']).includes('"write"');
}

function toolResults({ messages }: Asked): number {
  return messages.filter(({ role }) => role === 'tool').length;
}

const builds: Answer = (asked, response) =>
  toolResults(asked) === 0
    ? say(response, { calls: [['write', { path: 'done.txt', content: 'done\n' }]] })
    : say(response, { text: 'It is there.\n\n===WIGGUM_COMPLETE===' });

describe('A model behind an endpoint', () => {
  it('A model behind an endpoint builds and verifies with real files in a real repository, to completion [B1] [B8]', async () => {
    const { place, code, stdout } = await run((asked, response) => {
      if (!isVerifier(asked)) return builds(asked, response);
      return toolResults(asked) === 0
        ? say(response, { calls: [['run', { command: 'cat done.txt' }]] })
        : say(response, { text: 'I could not refute it.\n\n===VERIFIER_COMPLETE===' });
    });
    expect(stdout).toMatch(/✅ Completed/);
    expect(code).toBe(0);
    expect(roles(place)).toEqual(['builder', 'verifier']);
    expect(filesOf(place)).toContain('done.txt');
  });

  it('The verdict of a model that changed files through a command as a verifier does not count [B6]', async () => {
    const { code, stdout } = await run(
      (asked, response) => {
        if (!isVerifier(asked)) return builds(asked, response);
        return toolResults(asked) === 0
          ? say(response, { calls: [['run', { command: 'echo tampered > done.txt' }]] })
          : say(response, { text: '===VERIFIER_COMPLETE===' });
      },
      ['--max-loops', '1'],
    );
    expect(stdout).not.toMatch(/✅ Completed/);
    expect(code).not.toBe(0);
  });

  it('A model whose key is refused ends the run at once, with one sentence [X6]', async () => {
    const { code, stdout, stderr, asked } = await run((_, response) =>
      sendJson(response, 401, { error: { message: 'Incorrect API key' } }),
    );
    expect(stdout + stderr).toContain('Incorrect API key');
    expect(asked).toHaveLength(1);
    expect(code).not.toBe(0);
  });

  it('A model that hangs before its headers is ended by the silence limit [Q6]', async () => {
    const { code, stdout, place } = await run(() => {}, ['--max-loops', '1'], {
      session: { idleTimeout: '2s' },
    });
    expect(stdout).toContain('fell silent: no output for 2 s (session.idleTimeout)');
    expect(code).not.toBe(0);
    expect(place.living()).toEqual([]);
  });

  it('A driver that is killed during a command of the model leaves no process, and the run resumes [X11] [Q4]', async () => {
    const { place, asked } = await prepare((one, response) => {
      if (isVerifier(one)) return say(response, { text: '===VERIFIER_COMPLETE===' });
      if (one.count > 1) return builds(one, response);
      return say(response, { calls: [['run', { command: 'setsid sleep 321 & sleep 321' }]] });
    });
    const driver = place.start(order);
    await until(
      'the command',
      () => place.living().filter(({ command }) => command.includes('321')).length >= 2,
    );
    send(driver.pid, 'SIGKILL');
    await driver.ended;
    await until('everything to be gone', () => place.living().length === 0);
    const { code, stdout } = await place.untildone(['resume']);
    expect(stdout).toMatch(/✅ Completed/);
    expect(code).toBe(0);
    expect(asked.length).toBeGreaterThan(2);
  });
});
