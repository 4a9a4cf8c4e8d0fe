import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { canMount, mountMemory, unmount, whereMounted } from '#test/file-system.ts';
import type { Receipt } from '#ports/sessions.ts';
import { readReceipt, receiptFileOf, reserveReceipt, saveReceipt } from './receipt-file.ts';

const disk = mkdtempSync(join(tmpdir(), 'untildone-receipts-'));
if (canMount) mountMemory(disk, 'size=1m');
afterAll(() => {
  if (canMount) unmount(disk);
  rmSync(disk, { recursive: true });
});

const receiptOf = (stepId: string): Receipt => ({
  stepId,
  epoch: 1,
  result: {
    kind: 'session',
    ending: { kind: 'finished' },
    signal: { kind: 'report', text: 'r'.repeat(40_000) },
    usage: { usd: 1, tokens: 9 },
    endTree: null,
    log: 'x.jsonl',
    ran: { driver: 'd', model: null },
  },
});

it.runIf(canMount)(
  `A receipt is written on a disk that its session has filled, because its space was reserved, ${whereMounted} [D4]`,
  async () => {
    const receipts = join(disk, 'receipts');
    const [reserved, other] = ['1', '2'].map((stepId) => receiptFileOf(receipts, stepId));
    reserveReceipt(reserved ?? '');
    expect(() => writeFileSync(join(disk, 'fill'), Buffer.alloc(2 * 1024 * 1024))).toThrow('ENOSPC');
    await expect(saveReceipt(other ?? '', receiptOf('2'))).rejects.toThrow('ENOSPC');
    await saveReceipt(reserved ?? '', receiptOf('1'));
    expect(readReceipt(reserved ?? '', '1')).toEqual({ receipt: receiptOf('1') });
    rmSync(join(disk, 'fill'));
    expect(readdirSync(receipts).filter((name) => name.endsWith('.reserve'))).toEqual([]);
  },
);
