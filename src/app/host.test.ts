import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resumesOf } from '#config/agents/agent-guide.ts';
import { createAgent } from './host.ts';

const folder = new URL('../agents/', import.meta.url);
const drivers = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .filter((name) => existsSync(new URL(`${name}/${name}-agent.ts`, folder)))
  .toSorted();

describe('An agent by its adapter', () => {
  it.each(['claud', 'toString', ''])(
    'An agent with the adapter %j is refused with the names of all adapters [X6]',
    async (driver) => {
      expect(drivers).toContain('openai');
      await expect(createAgent({ driver, options: {} }, ['node'])).rejects.toMatchObject({
        message: `There is no agent driver "${driver}".`,
        hint: `The drivers are ${drivers.join(', ')}; a newer untildone may have more.`,
      });
    },
  );

  const options = { command: 'true', prompt: 'stdin', script: 'x.json', provider: 'ollama' };

  it('An agent reports before its start whether its adapter can resume [A1]', async () => {
    for (const driver of drivers) {
      const agent = await createAgent({ driver, options: optionsFor(driver, options) }, ['node']);
      expect([driver, agent.resumes]).toEqual([driver, resumesOf(driver)]);
    }
    expect(resumesOf('foreign')).toBe('no');
  });

  it('Each folder of adapters creates an agent under its own name', async () => {
    for (const driver of drivers) {
      const agent = await createAgent({ driver, options: optionsFor(driver, options) }, ['node']);
      expect(agent.driver).toBe(driver);
    }
  });
});

/** Drivers refuse options that they do not know. */
function optionsFor(driver: string, all: { readonly [name: string]: string }): { [name: string]: unknown } {
  const known: { readonly [driver: string]: readonly string[] } = {
    acp: ['command'],
    command: ['command', 'prompt'],
    openai: ['provider'],
    scripted: ['script'],
  };
  return Object.fromEntries((known[driver] ?? []).map((name) => [name, all[name]]));
}
