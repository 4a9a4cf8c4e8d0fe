// The openai driver in the packed program, against an endpoint of our own on loopback.
import { afterEach, describe, expect, it } from 'vitest';
import { openEndpoint, say, sendJson } from '#adapters/agents/openai/fake-endpoint.ts';
import type { Answer, Asked, FakeEndpoint } from '#adapters/agents/openai/fake-endpoint.ts';
import { filesOf, roles } from './looking.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';

const opened: FakeEndpoint[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
});

async function run(answer: Answer, more: readonly string[] = [], config = {}) {
  const place = makePlace();
  const endpoint = await openEndpoint(answer);
  opened.push(endpoint);
  const agents = { mine: { driver: 'openai', baseUrl: endpoint.baseUrl, model: 'm' } };
  place.write('repo/.untildone/config.jsonc', JSON.stringify({ agents, ...config }));
  const args = ['run', 'make done.txt', '--check', 'test -f done.txt', '--agent', 'mine', ...more];
  return { place, asked: endpoint.asked, ...(await place.untildone(args)) };
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

describe('a model behind an endpoint', () => {
  it('builds and verifies with real files in a real repository, to completion [B1] [B8]', async () => {
    const { place, code, stdout } = await run((asked, response) => {
      if (!isVerifier(asked)) return builds(asked, response);
      return toolResults(asked) === 0
        ? say(response, { calls: [['run', { command: 'cat done.txt' }]] })
        : say(response, { text: 'I could not refute it.\n\n===VERIFIER_COMPLETE===' });
    });
    expect(stdout).toMatch(/✅ Completed/);
    expect(code).toBe(0);
    expect(roles(place)).toEqual(['builder', 'verifier']);
    expect(lastFiles(place)).toContain('done.txt');
  });

  it('is not believed as a verifier that changed the files through a command [B6]', async () => {
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

  it('whose key is refused ends the run at once, with one sentence [X6]', async () => {
    const { code, stdout, stderr, asked } = await run((_, response) =>
      sendJson(response, 401, { error: { message: 'Incorrect API key' } }),
    );
    expect(stdout + stderr).toContain('Incorrect API key');
    expect(asked).toHaveLength(1);
    expect(code).not.toBe(0);
  });

  it('that hangs before its headers is ended by the limit on silence [Q6]', async () => {
    const { code, stdout, place } = await run(() => {}, ['--max-loops', '1'], { session: { idle: '2s' } });
    expect(stdout).toContain('fell silent');
    expect(code).not.toBe(0);
    expect(place.living()).toEqual([]);
  });
});

function lastFiles(place: Place): readonly string[] {
  return filesOf(place);
}
