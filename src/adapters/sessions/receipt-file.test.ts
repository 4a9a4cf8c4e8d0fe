import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Receipt } from '#ports/sessions.ts';
import { watchDisk } from '#test/power-loss.ts';
import { readReceipt, receiptFileOf, saveReceipt } from './receipt-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-receipt-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const receipt: Receipt = {
  stepId: '0003-builder-main',
  epoch: 2,
  result: {
    kind: 'session',
    ending: { kind: 'finished' },
    signal: { kind: 'done' },
    usage: { usd: 1.5, tokens: 2_000 },
    endTree: 'c'.repeat(40),
    log: 'builder_001.jsonl',
    ran: { driver: 'scripted', model: null },
  },
};

it('A receipt that was saved survives a power loss, so that its session is not paid for twice [D4]', async () => {
  const receipts = join(folder, 'receipts');
  mkdirSync(receipts);
  const disk = await watchDisk(folder);
  const file = receiptFileOf(receipts, receipt.stepId);
  await saveReceipt(file, receipt);
  disk.release();
  disk.losePower();
  expect(readReceipt(file, receipt.stepId)).toEqual({ receipt });
  expect(readdirSync(receipts)).toHaveLength(1);
});

it('A receipt that is cut off, or of another step, is not accepted [D4]', async () => {
  const file = receiptFileOf(folder, receipt.stepId);
  expect(readReceipt(file, receipt.stepId)).toEqual({ none: 'it left no receipt' });
  await saveReceipt(file, receipt);
  expect(readReceipt(file, '0004-builder-main')).toEqual({
    none: 'its receipt is of another step (0003-builder-main)',
  });
  writeFileSync(file, JSON.stringify(receipt).slice(0, -20));
  expect(readReceipt(file, receipt.stepId)).toEqual({ none: 'its receipt cannot be read' });
});
