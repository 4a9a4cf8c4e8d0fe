import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createUsageTally } from './claude-usage.ts';

const knowledge = { prices: {}, usageLimitWordings: [] };

function message(id: string, tokens: number) {
  return { id, model: 'some-model', usage: { input_tokens: tokens, output_tokens: 0 } };
}

describe('the usage of a claude session before its final sum', () => {
  it('A message counts once, by the newest of its chunks, also when two messages alternate [X1]', () => {
    const tally = createUsageTally(knowledge, false);
    for (const tokens of [1, 5, 10]) {
      tally.onModelMessage(message('main', tokens));
      tally.onModelMessage(message('of a subagent', 2 * tokens));
    }
    expect(tally.usage().tokens).toBe(30);
  });

  it('Every message counts in a session that has very many', () => {
    const tally = createUsageTally(knowledge, false);
    for (let count = 0; count < 1_000; count += 1) {
      tally.onModelMessage(message(`m${count}`, 1));
      tally.onModelMessage(message(`m${count}`, 3));
    }
    expect(tally.usage().tokens).toBe(3_000);
    tally.onResult({});
    expect(tally.usage().tokens).toBe(3_000);
    tally.onModelMessage(message('next', 7));
    expect(tally.usage().tokens).toBe(3_007);
  });

  it('The usage of a long session takes no more memory and no more work [X1]', async () => {
    // A heap that cannot hold what every message leaves behind, and more of them than can be summed up each time.
    const program = `
      import { createUsageTally } from '${new URL('claude-usage.ts', import.meta.url).href}';
      const tally = createUsageTally({ prices: {}, usageLimitWordings: [] }, false);
      for (let count = 0; count < 200_000; count += 1) {
        tally.onModelMessage({ id: 'message ' + count, model: 'm', usage: { input_tokens: 1 } });
      }
      console.log(tally.usage().tokens);`;
    const flags = ['--max-old-space-size=24', '--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 600_000 });
    expect(stdout.trim()).toBe('200000');
  });
});
