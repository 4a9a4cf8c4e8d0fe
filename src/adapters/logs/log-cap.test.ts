// Limits on the length of logs: which lines of a flood are kept, and which lines are always kept.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCappedLog } from './capped-log.ts';
import { readSessionLog } from '#app/recording/session-log.ts';
import { createLogFile } from '#adapters/sessions/log-file.ts';
import { readLog } from '#adapters/sessions/log-reading.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import { checkLogCap, sessionLogCap } from './log-cap.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-logs-'));
  file = join(folder, 'one.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cap = { headBytes: 1000, tailBytes: 1000 };
const result: SessionResult = {
  kind: 'session',
  ending: { kind: 'finished' },
  signal: { kind: 'done' },
  usage: { usd: 1, tokens: 10 },
  endTree: null,
  log: 'one.log',
  ran: { driver: 'command', model: null },
};

it('A check log keeps its beginning and its end, and says how much is missing between them [X17]', async () => {
  const log = openCappedLog(await open(file, 'w'), cap);
  for (let n = 0; n < 1000; n += 1) await log.write(Buffer.from(`line ${String(n).padStart(4, '0')}\n`));
  await log.close();
  await log.close();
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^line 0000\nline 0001\n/);
  expect(text).toMatch(/line 0998\nline 0999\n$/);
  const dropped = Number(/\n\[(\d+) bytes were left out here: the log is kept short\]\n/.exec(text)?.[1]);
  const marker = text.match(/\n\[.*\]\n/)?.[0].length ?? 0;
  expect(text.length - marker + dropped).toBe(10_000);
  expect(text.length).toBeLessThan(2200);
});

it('A check log that fits is kept as it is', async () => {
  const log = openCappedLog(await open(file, 'w'), cap);
  for (let n = 0; n < 190; n += 1) await log.write(Buffer.from(`line ${String(n).padStart(4, '0')}\n`));
  await log.close();
  expect(readFileSync(file, 'utf8')).toBe(
    Array.from({ length: 190 }, (_, n) => `line ${String(n).padStart(4, '0')}\n`).join(''),
  );
});

it('A session log beyond its cap still has every usage, the last message and the result', async () => {
  const log = createLogFile(file, cap);
  log.write({ at: 1, type: 'session-id', id: 'abc' });
  for (let n = 0; n < 500; n += 1) {
    log.write({ at: n, type: 'text', text: `word ${n}\n` });
    log.write({ at: n, type: 'tool-call', id: String(n), name: 'read', summary: 'x'.repeat(50) });
    if (n % 100 === 0) log.write({ at: n, type: 'usage', usage: { usd: n, tokens: n } });
  }
  log.write({ at: 600, type: 'text', text: '===WIGGUM_COMPLETE===\n' });
  log.write({ at: 601, type: 'agent-ended', stepId: 's1', result });
  log.write({ at: 602, type: 'notice', text: 'late' });
  log.write({ at: 603, type: 'session-ended', stepId: 's1', result });
  log.close();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
  expect(types.filter((type) => type === 'usage')).toHaveLength(5);
  expect(types.slice(-4)).toEqual(['text', 'agent-ended', 'notice', 'session-ended']);
  expect(readFileSync(file, 'utf8')).toMatch(
    /this log has reached \d+ bytes[^]*\d+ bytes were left out here/,
  );
  expect(statSync(file).size).toBeLessThan(6000);
  expect(readLog(file, 's1').result).toMatchObject({ signal: { kind: 'done' } });
  const recorded = await readSessionLog(file);
  expect(recorded?.leftOut).toBeGreaterThan(40_000);
  const heard = recorded?.messages ?? [];
  expect(heard.some((one) => one.kind === 'say' && one.text.includes('word 0\n'))).toBe(true);
  expect(heard.findLast((one) => one.kind === 'say')).toMatchObject({
    text: expect.stringContaining('===WIGGUM_COMPLETE===') as string,
  });
});

it('A host that is killed beyond the cap leaves the newest usage to be adopted', () => {
  const log = createLogFile(file, cap);
  for (let n = 0; n < 100; n += 1) log.write({ at: n, type: 'text', text: 'x'.repeat(100) });
  log.write({ at: 100, type: 'usage', usage: { usd: 3, tokens: 30 } });
  // Never closed: what was said last is lost with the process, what it cost is not.
  expect(readLog(file, 's1').usage).toEqual({ usd: 3, tokens: 30 });
});

it('Logs are short once the logs of the run have used up their budget', () => {
  const full = join(folder, 'full');
  mkdirSync(full);
  writeFileSync(join(full, 'large.log'), '');
  truncateSync(join(full, 'large.log'), 70 * 1024 * 1024);
  expect(checkLogCap(join(folder, 'absent'))).toEqual({ headBytes: 1_048_576, tailBytes: 1_048_576 });
  expect(checkLogCap(full).headBytes).toBe(65_536);
  expect(sessionLogCap(full).headBytes).toBeLessThan(sessionLogCap(folder).headBytes);
});
