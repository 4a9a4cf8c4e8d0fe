import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SessionResult } from '#kernel/model/step.ts';
import { readLog } from './log-reading.ts';
import { readReceipt, receiptFileOf, saveReceipt } from './receipt-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'untildone-reading-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const result: SessionResult = {
  kind: 'session',
  ending: { kind: 'finished' },
  signal: { kind: 'report', text: 'r'.repeat(60_000) },
  usage: { usd: 0.5, tokens: 9 },
  endTree: 'b'.repeat(40),
  log: 'x.jsonl',
  ran: { driver: 'd', model: null },
};
const line = (type: string, fields: object): string => `${JSON.stringify({ at: 1, type, ...fields })}\n`;
const started = (reportsUsage: boolean): string =>
  line('session-started', { stepId: '1', reportsUsage, prompt: 'p' });

let count = 0;
function logOf(...lines: string[]): string {
  count += 1;
  const file = join(folder, `${count}.jsonl`);
  writeFileSync(file, lines.join(''));
  return file;
}

describe('a session log after a crash', () => {
  it('A log read after a crash gives its last message, of the session or at least of the agent [D1]', () => {
    const agentEnded = line('agent-ended', { stepId: '1', result: { ...result, endTree: null } });
    const ended = line('session-ended', { stepId: '1', result });
    expect(readLog(logOf(started(true), agentEnded, ended), '1').result).toEqual(result);
    expect(readLog(logOf(started(true), agentEnded), '1').result).toEqual({ ...result, endTree: null });
    expect(readLog(logOf(started(true), agentEnded, ended.slice(0, -30)), '1').result).toEqual({
      ...result,
      endTree: null,
    });
  });

  it('A log read after a crash gives the end of the agent, however much its leftover processes printed since [D4]', () => {
    const agentEnded = line('agent-ended', { stepId: '1', result: { ...result, endTree: null } });
    const flood = line('text', { text: 'é,"type":"agent-ended","stepId":"1"'.repeat(30_000) });
    const file = logOf(started(true), agentEnded, flood, flood, flood, '{"at":2,"type":"te');
    expect(readLog(file, '1').result).toEqual({ ...result, endTree: null });
  });

  it('A log read after a crash ignores other steps, torn or damaged lines, and text that the agent only printed [D1]', () => {
    const ended = line('session-ended', { stepId: '1', result });
    const said = line('text', { text: `\n${ended}` });
    const damaged = line('session-ended', { stepId: '1', result: { ...result, endTree: '$(rm)' } });
    for (const file of [
      logOf(started(true), line('session-ended', { stepId: '2', result })),
      logOf(started(true), ended.slice(0, -1)),
      logOf(started(true), said),
      logOf(started(true), damaged),
      logOf(),
      join(folder, 'none'),
    ]) {
      expect(readLog(file, '1').result).toBeNull();
    }
  });

  it('A log read after a crash gives the newest usage, however much came after it [X1]', () => {
    const usage = (tokens: number): string => line('usage', { usage: { usd: null, tokens } });
    const flood = line('text', { text: 'é,"type":"usage","usage":{"tokens":7}'.repeat(30_000) });
    expect(readLog(logOf(started(true), usage(1), usage(2)), '1').usage).toEqual({ usd: null, tokens: 2 });
    expect(readLog(logOf(started(true), usage(1), usage(2), flood, flood, flood), '1').usage).toEqual({
      usd: null,
      tokens: 2,
    });
    expect(readLog(logOf(started(true), usage(1), '{"at":2,"type":"usage","usage":{"us'), '1').usage).toEqual(
      { usd: null, tokens: 1 },
    );
  });

  it('A log read after a crash distinguishes unknown usage from none: a crash is never free [X1]', () => {
    expect(readLog(logOf(started(false)), '1').usage).toEqual({ usd: null, tokens: null });
    expect(readLog(logOf(started(true)), '1').usage).toBeNull();
    expect(readLog(logOf(), '1').usage).toBeNull();
  });
});

describe('a receipt', () => {
  it('A receipt is read as it was written [D1]', async () => {
    const file = receiptFileOf(join(folder, 'receipts'), 'a/b 1');
    await saveReceipt(file, { stepId: 'a/b 1', epoch: 2, result });
    expect(readReceipt(file, 'a/b 1')).toEqual({ receipt: { stepId: 'a/b 1', epoch: 2, result } });
  });

  it.each([
    ['of another step', JSON.stringify({ stepId: '2', epoch: 1, result }), /another step \(2\)/],
    ['torn', JSON.stringify({ stepId: '1', epoch: 1, result }).slice(0, 50), /cannot be read/],
    ['empty', '', /cannot be read/],
    ['of no session', JSON.stringify({ stepId: '1', epoch: 1, result: { kind: 'check' } }), /cannot be read/],
    [
      'with an ending that we do not know',
      JSON.stringify({ stepId: '1', epoch: 1, result: { ...result, ending: { kind: 'won' } } }),
      /cannot be read/,
    ],
    [
      'with a usage below zero',
      JSON.stringify({ stepId: '1', epoch: 1, result: { ...result, usage: { usd: -5, tokens: 0 } } }),
      /cannot be read/,
    ],
  ])('A bad receipt is ignored, with the reason: %s [D1]', (name, text, reason) => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, text);
    expect(readReceipt(file, '1')).toEqual({ none: expect.stringMatching(reason) as unknown });
  });
});
