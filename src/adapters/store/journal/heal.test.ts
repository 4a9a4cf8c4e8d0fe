import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receiptFileOf } from '#adapters/sessions/receipt-file.ts';
import type { Event } from '#kernel/events/events.ts';
import { OperatorError } from '#base/operator-error.ts';
import { encodeLine } from './line.ts';
import type { Bed } from '#test/store/store-bed.ts';
import { createBed, dues, reached, runCreated } from '#test/store/store-bed.ts';

let bed: Bed;
beforeEach(() => {
  bed = createBed();
});
afterEach(() => bed.dispose());

const files = () => bed.paths.run('r');
const journalBytes = () => readFileSync(files().journal);
const damagedCopies = () => readdirSync(files().folder).filter((name) => name.startsWith('journal.damaged-'));

/** Where each line of a file begins, and its end. */
function lineStarts(bytes: Buffer): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
  return starts;
}

async function opened(): Promise<{ readonly dues: number[]; readonly notes: readonly string[] }> {
  const journal = await bed.open();
  await journal.close();
  return { dues: dues(journal.events), notes: journal.notes };
}

async function refusal(work: Promise<unknown>): Promise<OperatorError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OperatorError)) throw new Error(`expected an OperatorError, not ${String(error)}`);
  return error;
}

it('A last line that was torn at any byte is restored from the mirror, and the run continues [Q7]', async () => {
  await bed.run(3);
  const [whole, mirror] = [journalBytes(), readFileSync(files().mirror)];
  const lastLine = lineStarts(whole).at(-2) ?? 0;
  for (let size = lastLine; size < whole.length; size += 1) {
    writeFileSync(files().journal, whole.subarray(0, size));
    const { dues: found, notes } = await opened();
    expect([size, found, notes.length]).toEqual([size, [1, 2, 3], 1]);
    expect(journalBytes()).toEqual(whole);
    expect(readFileSync(files().mirror)).toEqual(mirror);
  }
});

it('A last line that was torn at any byte is cut if no copy of it exists, and nothing before it [Q7]', async () => {
  await bed.run(3);
  const whole = journalBytes();
  const starts = lineStarts(whole);
  const lastLine = starts.at(-2) ?? 0;
  const mirror = readFileSync(files().mirror);
  const laggingMirror = mirror.subarray(0, lineStarts(mirror).at(-2));
  for (let size = lastLine + 1; size < whole.length; size += 1) {
    writeFileSync(files().journal, whole.subarray(0, size));
    writeFileSync(files().mirror, laggingMirror);
    const isComplete = size === whole.length - 1;
    const readers = await bed.store.read('r');
    expect([size, dues(readers.events), readers.notes]).toEqual([size, isComplete ? [1, 2, 3] : [1, 2], []]);
    const { dues: found, notes } = await opened();
    expect([size, found, notes.length]).toEqual([size, isComplete ? [1, 2, 3] : [1, 2], 1]);
    expect(journalBytes()).toEqual(whole.subarray(0, isComplete ? whole.length : lastLine));
  }
  const journal = await bed.open();
  await journal.append([reached(9)], { sync: true });
  await journal.close();
  expect(dues((await bed.store.read('r')).events)).toEqual([1, 2, 3, 9]);
});

it('A flipped bit in a middle line is healed, the damaged file is kept, and the user is informed [Q7]', async () => {
  await bed.run(3);
  const [whole, mirror] = [journalBytes(), readFileSync(files().mirror)];
  const [, from = 0, to = 0] = lineStarts(whole);
  for (let at = from; at < to; at += 1) {
    const hurt = Buffer.from(whole);
    hurt[at] = (hurt[at] ?? 0) ^ (1 << (at % 8));
    writeFileSync(files().journal, hurt);
    const reading = await bed.store.read('r');
    expect([at, dues(reading.events), reading.notes.length]).toEqual([at, [1, 2, 3], 1]);
    expect(journalBytes()).toEqual(hurt);
    const { dues: found, notes } = await opened();
    expect([at, found, notes.length]).toEqual([at, [1, 2, 3], 1]);
    expect(notes[0]).toContain('journal.damaged-');
    expect(journalBytes()).toEqual(whole);
    const [kept = ''] = damagedCopies();
    expect(readFileSync(`${files().folder}/${kept}`)).toEqual(hurt);
    rmSync(`${files().folder}/${kept}`);
  }
  expect(readFileSync(files().mirror)).toEqual(mirror);
});

it('If journal and mirror are damaged at the same entry, the run is refused with both files named, and nothing is overwritten [Q7]', async () => {
  await bed.run(3);
  for (const file of [files().journal, files().mirror]) {
    const hurt = readFileSync(file);
    const at = (lineStarts(hurt)[2] ?? 0) - 4;
    hurt[at] = (hurt[at] ?? 0) ^ 1;
    writeFileSync(file, hurt);
  }
  const before = [journalBytes(), readFileSync(files().mirror)];
  for (const work of [() => bed.open(), () => bed.store.read('r')]) {
    const error = await refusal(work());
    expect(error.code).toBe('journal-damaged');
    expect(error.message).toContain('entry 2');
    expect(error.message).toContain(files().journal);
    expect(error.message).toContain(files().mirror);
    expect(error.hint).toContain('Nothing was overwritten');
  }
  expect([journalBytes(), readFileSync(files().mirror)]).toEqual(before);
  expect(damagedCopies()).toEqual([]);
  expect(await bed.store.list()).toEqual(['r']);
});

it('Different damaged entries in journal and mirror are healed from each other [Q7]', async () => {
  await bed.run(5);
  const [whole, mirror] = [journalBytes(), readFileSync(files().mirror)];
  const [hurtJournal, hurtMirror] = [Buffer.from(whole), Buffer.from(mirror)];
  hurtJournal.fill(0x78, lineStarts(whole)[1], (lineStarts(whole)[2] ?? 0) - 1);
  hurtMirror.fill(0x78, lineStarts(mirror)[3], (lineStarts(mirror)[4] ?? 0) - 1);
  writeFileSync(files().journal, hurtJournal);
  writeFileSync(files().mirror, hurtMirror);
  const { notes } = await opened();
  expect(notes).toHaveLength(2);
  expect([journalBytes(), readFileSync(files().mirror)]).toEqual([whole, mirror]);
});

it('A forged mirror line is never used, however well it is made [Q7]', async () => {
  await bed.run(3);
  const whole = journalBytes();
  const json = Buffer.from(JSON.stringify({ v: 1, seq: 5, epoch: 0, events: [reached(666)] }));
  const forged = Buffer.concat([Buffer.from(`${'ab'.repeat(32)} `), json, Buffer.from('\n')]);
  const honest = readFileSync(files().mirror);
  writeFileSync(files().mirror, Buffer.concat([honest, forged]));
  const { dues: found, notes } = await opened();
  expect([found, notes.length]).toEqual([[1, 2, 3], 1]);
  expect(readFileSync(files().mirror)).toEqual(honest);

  const otherJson = Buffer.from(
    honest.toString().split('\n')[2]?.slice(65).replace('"due":2', '"due":7') ?? '',
  );
  const starts = lineStarts(honest);
  const line = Buffer.concat([
    honest.subarray(starts[2], (starts[2] ?? 0) + 65),
    otherJson,
    Buffer.from('\n'),
  ]);
  writeFileSync(
    files().mirror,
    Buffer.concat([honest.subarray(0, starts[2]), line, honest.subarray(starts[3])]),
  );
  const hurt = Buffer.from(whole);
  hurt[(lineStarts(whole)[3] ?? 0) - 3] = 0;
  writeFileSync(files().journal, hurt);
  expect((await refusal(bed.open())).code).toBe('journal-damaged');
});

it('A line of another run is not accepted, though the key is the same [Q7]', async () => {
  await bed.run(2);
  await bed.store.create('other', [runCreated('other')]);
  const other = await bed.open('other');
  await other.append([reached(666)], { sync: true });
  await other.close();
  copyFileSync(bed.paths.run('other').mirror, files().mirror);
  rmSync(files().journal);
  expect((await refusal(bed.open())).code).toBe('no-such-run');
});

it('A missing journal, and a missing run folder, are restored from the mirror with a notice [Q7]', async () => {
  await bed.run(3);
  const whole = journalBytes();
  rmSync(files().journal);
  expect(dues((await bed.store.read('r')).events)).toEqual([1, 2, 3]);
  expect(existsSync(files().journal)).toBe(false);
  expect((await opened()).notes[0]).toContain('was missing');
  expect(journalBytes()).toEqual(whole);

  rmSync(files().folder, { recursive: true });
  expect(await bed.store.list()).toEqual(['r']);
  expect((await opened()).notes[0]).toContain('was missing');
  expect(journalBytes()).toEqual(whole);

  writeFileSync(files().journal, '');
  expect((await opened()).dues).toEqual([1, 2, 3]);
  expect(journalBytes()).toEqual(whole);
});

it('A missing journal is not restored if the mirror has lost its end too [Q7]', async () => {
  await bed.run(3);
  rmSync(files().journal);
  const hurt = readFileSync(files().mirror);
  hurt[hurt.length - 5] = 0;
  writeFileSync(files().mirror, hurt);
  expect((await refusal(bed.open())).code).toBe('journal-damaged');
  expect(existsSync(files().journal)).toBe(false);
});

it.each([
  ['twice', [0, 1, 1, 2, 3]],
  ['twice at the end', [0, 1, 2, 3, 3]],
  ['out of order', [0, 2, 1, 3]],
  ['not at all', [0, 1, 3]],
] as const)(
  'A line that appears %s counts as damage: healed with the mirror, refused without [Q7]',
  async (_, order) => {
    await bed.run(3);
    const [whole, mirror] = [journalBytes(), readFileSync(files().mirror)];
    const starts = lineStarts(whole);
    const hurt = Buffer.concat(order.map((n) => whole.subarray(starts[n], starts[n + 1])));
    writeFileSync(files().journal, hurt);
    expect((await opened()).dues).toEqual([1, 2, 3]);
    expect(journalBytes()).toEqual(whole);

    writeFileSync(files().journal, hurt);
    rmSync(files().mirror);
    expect((await refusal(bed.open())).code).toBe('journal-damaged');
    expect(journalBytes()).toEqual(hurt);
    writeFileSync(files().mirror, mirror);
  },
);

it('A rewritten journal line with a valid checksum is refused, because its sealed copy disagrees [Q7]', async () => {
  await bed.run(3);
  const lines = journalBytes().toString().trimEnd().split('\n');
  const json = lines[2]?.slice(9).replace('"due":2', '"due":7') ?? '';
  lines[2] = encodeLine(Buffer.from(json)).toString().trimEnd();
  writeFileSync(files().journal, `${lines.join('\n')}\n`);
  const error = await refusal(bed.open());
  expect([error.code, error.message.includes('entry 3')]).toEqual(['journal-damaged', true]);
});

it('Whole entries that the journal lost are restored from the mirror [Q7]', async () => {
  await bed.run(3);
  const whole = journalBytes();
  writeFileSync(files().journal, whole.subarray(0, lineStarts(whole)[2]));
  expect((await opened()).dues).toEqual([1, 2, 3]);
  expect(journalBytes()).toEqual(whole);
});

it('A mirror that lags behind, or was torn, is brought up to date at the next open [Q7]', async () => {
  await bed.run(5);
  const mirror = readFileSync(files().mirror);
  for (const size of [0, lineStarts(mirror)[2] ?? 0, (lineStarts(mirror)[3] ?? 0) + 7, mirror.length - 1]) {
    writeFileSync(files().mirror, mirror.subarray(0, size));
    expect((await opened()).notes).toEqual([]);
    expect(readFileSync(files().mirror)).toEqual(mirror);
  }
});

it('A journal with more than its last line damaged and no copy left is refused [Q7]', async () => {
  await bed.run(4);
  const [hurt, mirror] = [journalBytes(), readFileSync(files().mirror)];
  for (const line of [3, 4]) hurt[(lineStarts(hurt)[line] ?? 0) + 12] = 0x7e;
  writeFileSync(files().journal, hurt);
  writeFileSync(files().mirror, mirror.subarray(0, lineStarts(mirror)[3]));
  expect((await refusal(bed.open())).code).toBe('journal-damaged');
  expect(journalBytes()).toEqual(hurt);
});

it('A mirror that cannot be written is reported, and the run continues', async () => {
  writeFileSync(bed.paths.run('r').folder.replace(/state.*/, 'git'), 'a file where the git folder should be');
  await bed.run(2);
  expect(bed.notes.length).toBeGreaterThan(0);
  expect(dues((await bed.store.read('r')).events)).toEqual([1, 2]);
});

it('A journal that lost whole lines is read from the mirror, with a warning, and left as it is [Q7]', async () => {
  await bed.run(3);
  const whole = journalBytes();
  const [, first = 0, second = 0] = lineStarts(whole);
  for (const size of [first, first + 20, second, second + 5]) {
    const cut = whole.subarray(0, size);
    writeFileSync(files().journal, cut);
    const { events, notes } = await bed.store.read('r');
    expect([size, dues(events), notes.length]).toEqual([size, [1, 2, 3], 1]);
    expect(notes[0]).toContain(`comes from the copy in ${files().mirror}`);
    expect(journalBytes()).toEqual(cut);
  }
});

it('A journal that lost whole lines after a snapshot sends the reader to the mirror [Q7]', async () => {
  await bed.run(3);
  const whole = journalBytes();
  const [, , second = 0] = lineStarts(whole);
  const position = { bytes: second, seq: 2 };
  expect(dues((await bed.store.readAfter('r', position)) ?? [])).toEqual([2, 3]);
  writeFileSync(files().journal, whole.subarray(0, second));
  expect(await bed.store.readAfter('r', position)).toBeNull();
});

it('The reader of a journal learns that its mirror cannot be checked [Q7]', async () => {
  await bed.run(3);
  const key = readFileSync(bed.paths.mirrorKey);
  rmSync(bed.paths.mirrorKey);
  const { events, notes } = await bed.store.read('r');
  expect(dues(events)).toEqual([1, 2, 3]);
  expect(notes).toEqual([expect.stringContaining(`${files().mirror} cannot be checked`)]);
  writeFileSync(bed.paths.mirrorKey, key);
  expect((await bed.store.read('r')).notes).toEqual([]);
  writeFileSync(files().mirror, 'not ours\n', { flag: 'a' });
  expect((await bed.store.read('r')).notes).toHaveLength(1);
});

it('The reader of a run that has a driver gets no warning, however far the mirror is behind [Q7]', async () => {
  await bed.run(1);
  const journal = await bed.open();
  for (let due = 2; due < 40; due += 1) {
    await journal.append([reached(due)], { sync: false });
    expect((await bed.store.read('r')).notes).toEqual([]);
  }
  rmSync(files().mirror);
  expect((await bed.store.read('r')).notes).toEqual([]);
  await journal.close();
});

/** A run with one session per step id, of which journal and mirror then keep only `kept` lines each. */
async function runWithSessions(stepIds: readonly string[], kept: number): Promise<void> {
  await bed.run(1);
  const journal = await bed.open();
  for (const stepId of stepIds) {
    await journal.append([sessionStarted(stepId)], { sync: true });
    writeFileSync(receiptFileOf(files().receipts, stepId), '{}');
  }
  await journal.close();
  for (const file of [files().journal, files().mirror]) {
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, lineStarts(bytes)[kept]));
  }
}

function sessionStarted(stepId: string): Event {
  return { at: 2000, type: 'step-started', step: { stepId, deed: { kind: 'session' } } } as unknown as Event;
}

for (const [what, hurt] of [
  ['cut', () => {}],
  ['overwritten with other bytes', () => writeFileSync(files().mirror, randomBytes(500))],
] as const) {
  it(`A journal that lost sessions is reported and not driven when its copy was ${what} too [Q7] [D4]`, async () => {
    await runWithSessions(['0001-builder-a/b', '0002-builder'], 2);
    hurt();
    const before = [journalBytes(), readFileSync(files().mirror)];
    expect((await bed.store.read('r')).notes).toContain(
      'The journal of run r lost lines: it does not know 2 session(s) that were paid for.',
    );
    const error = await refusal(bed.open());
    expect(error.code).toBe('journal-damaged');
    expect(error.message).toContain('does not know 2 session(s) that were paid for');
    expect(error.hint).toContain('--new');
    expect([journalBytes(), readFileSync(files().mirror)]).toEqual(before);
    expect(await bed.store.holder('r')).toBeNull();
  });
}

it('A session that the journal knows does not count as lost, nor do the drafts beside its receipt [Q7]', async () => {
  await runWithSessions(['0001-builder-a/b', '0002-builder'], 4);
  for (const suffix of ['reserve', '123.tmp'])
    writeFileSync(`${receiptFileOf(files().receipts, '0003-builder')}.${suffix}`, '');
  expect((await bed.store.read('r')).notes).toEqual([]);
  expect((await opened()).notes).toEqual([]);
});

it('A journal that was cut back to its snapshot, and its copy with it, sends the reader to the whole journal [Q7]', async () => {
  await runWithSessions(['0001-builder', '0002-builder'], 3);
  const position = { bytes: journalBytes().length, seq: 3 };
  writeFileSync(files().snapshot, '');
  const at = (file: string, seconds: number) => utimesSync(file, seconds, seconds);
  at(files().snapshot, 200);
  at(receiptFileOf(files().receipts, '0001-builder'), 100);
  at(receiptFileOf(files().receipts, '0002-builder'), 300);
  expect(await bed.store.readAfter('r', position)).toBeNull();
  at(receiptFileOf(files().receipts, '0002-builder'), 100);
  expect(await bed.store.readAfter('r', position)).toEqual([]);
});
