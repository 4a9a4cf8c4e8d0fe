import type * as NodeFs from 'node:fs';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import type { SessionResult } from '#kernel/model/step.ts';
import { createLogFile } from './log-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'untildone-sync-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What was in the file whenever it was synced. */
const synced = vi.hoisted((): string[] => []);
vi.mock('node:fs', async (load) => {
  const fs = await load<typeof NodeFs>();
  return {
    ...fs,
    fdatasyncSync: (descriptor: number) => {
      fs.fdatasyncSync(descriptor);
      synced.push(fs.readFileSync(`/proc/self/fd/${descriptor}`, 'utf8'));
    },
  };
});

const result: SessionResult = {
  kind: 'session',
  ending: { kind: 'finished' },
  signal: null,
  usage: { usd: 0, tokens: 0 },
  endTree: null,
  log: 'x.jsonl',
  ran: { driver: 'd', model: null },
};

it('The end of the agent is synced when it is written, and the output of the agent is not [D4]', () => {
  const file = join(folder, 'x.jsonl');
  const log = createLogFile(file);
  log.write({ at: 1, type: 'text', text: 'hello' });
  expect(synced).toEqual([]);
  log.write({ at: 2, type: 'agent-ended', stepId: '1', result });
  expect(synced).toEqual([readFileSync(file, 'utf8')]);
  log.close();
});
