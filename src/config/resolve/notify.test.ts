import { describe, expect, it } from 'vitest';
import { parseConfig } from '#config/config-file.ts';
import { defaultSettings } from '#config/defaults.ts';
import { mergeLayers } from '#config/layers.ts';
import type { Layer } from '#config/layers.ts';
import { notifyOf } from './notify.ts';

const defaults: Layer = new Map([
  ['notify', { value: defaultSettings.notify, origin: { kind: 'default', where: '' } }],
]);

const file = (text: string, kind: 'project' | 'user' = 'project'): Promise<Layer> =>
  parseConfig(text, 'c.jsonc', kind);

async function resolved(text: string, env: { readonly [name: string]: string } = {}) {
  return notifyOf(mergeLayers([await file(text), defaults]), env);
}

describe('Notifications in the configuration', () => {
  it.each([
    [
      '[{ "to": "webhook", "url": "https://a.example/x", "fromat": "slack" }]',
      'unknown key "notify.0.fromat"; did you mean "format"?',
    ],
    ['["destkop"]', '"notify.0": must be one of "'],
    ['[{ "to": "terminal", "on": ["complete"] }]', '"notify.0.on.0": must be one of "'],
    ['[{ "to": "terminal", "command": "x" }]', 'this entry is a terminal, which has no "command"'],
    ['[{ "to": "command" }]', 'this entry needs a "command"'],
    ['[{ "to": "webhook" }]', 'this entry needs "url", or "urlEnv"'],
    [
      '[{ "to": "webhook", "url": "https://a.example/x", "urlEnv": "X" }]',
      'this entry needs "url", or "urlEnv"',
    ],
    ['[{ "to": "webhook", "url": "ftp://a.example/x" }]', 'must be a full address'],
    ['[{ "to": "webhook", "url": "https://a.example/", "format": "ntfy" }]', 'that ends with the topic'],
    ['[{ "to": "desktop", "after": "soon" }]', 'must be a duration'],
  ])('A wrong notify setting is refused with its place: %s [C11]', async (text, message) => {
    await expect(file(`{ "notify": ${text} }`)).rejects.toMatchObject({
      code: 'bad-config',
      message: expect.stringContaining(message) as string,
    });
  });

  it('By default, the terminal rings after a minute, and nothing leaves the machine [C11]', () => {
    const { specs, warnPercent } = notifyOf(mergeLayers([defaults]), {});
    expect(specs).toMatchObject([{ to: 'terminal', method: 'both', afterMs: 60_000, on: null }]);
    expect(warnPercent).toBe(80);
  });

  it('A notify setting replaces the defaults, and adds to the setting of another file [C11]', async () => {
    expect((await resolved('{ "notify": [] }')).specs).toEqual([]);
    const both = mergeLayers([
      await file('{ "notify": [{ "to": "webhook", "url": "https://team.example/hook" }] }'),
      await file('{ "notify": ["desktop"], "budget": { "warnPercent": 50 } }', 'user'),
      defaults,
    ]);
    const { specs, warnPercent } = notifyOf(both, {});
    expect(specs.map(({ to }) => to)).toEqual(['webhook', 'desktop']);
    expect(warnPercent).toBe(50);
  });

  it('A notify setting takes addresses and tokens from variables, and never repeats them [C11]', async () => {
    const text =
      '{ "notify": [{ "to": "webhook", "urlEnv": "HOOK", "tokenEnv": "TOKEN", "format": "ntfy" }] }';
    const fine = await resolved(text, { HOOK: 'https://n.example/topic-123456', TOKEN: 'tk_123' });
    expect(fine.specs).toMatchObject([{ to: 'webhook', format: 'ntfy', token: 'tk_123', timeoutMs: 10_000 }]);
    expect(fine.secrets).toEqual(['https://n.example/topic-123456', 'topic-123456', 'tk_123']);
    const problems = async (env: { readonly [name: string]: string }): Promise<string> =>
      (await resolved(text, env)).problems.join();
    expect(await problems({})).toContain('The variable HOOK is not set');
    expect(await problems({ HOOK: 'https://n.example/t' })).toContain('The variable TOKEN is not set');
    expect(await problems({ HOOK: 'my-secret', TOKEN: 'x' })).toBe(
      'The variable HOOK must be a full address with https:// or http://.',
    );
  });
});
