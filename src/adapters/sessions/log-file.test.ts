import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { createLogFile, logName } from './log-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'untildone-log-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the session log', () => {
  it('A session log is named after role, ordinal and time in UTC [B9]', () => {
    expect(logName('builder', 3, Date.UTC(2026, 10, 5, 7, 8, 9))).toBe(
      'builder_003_2026-11-05_07-08-09.jsonl',
    );
    expect(logName('../../etc', 12, 0)).toBe('..-..-etc_012_1970-01-01_00-00-00.jsonl');
  });

  it('A session log returns every text exactly, whatever characters it contains [B9]', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '\n',
        '"',
        '\\',
        '\t',
        '\r',
        '\0',
        '\u001b[1m',
        '\u001f',
        '\u007f',
        'é',
        '漢',
        '🙂',
        '\ud800',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
      fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
      fc.constant('plain words\n'.repeat(50)),
    );
    const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    let count = 0;
    const escaped = countReached('a character that JSON escapes', { floor: 0.5 });
    const wide = countReached('a character of several bytes', { floor: 0.5 });
    assertProperty(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
        count += 1;
        const all = texts.join('');
        if (JSON.stringify(all).length > all.length + 2) escaped.mark();
        if (Buffer.byteLength(all) > all.length) wide.mark();
        const file = join(folder, `${count}.jsonl`);
        const log = createLogFile(file);
        for (const one of texts) log.write({ at: count, type: 'text', text: one });
        log.write({ at: count, type: 'notice', text: texts.join('') });
        log.close();
        const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
        const read = lines.map((line): unknown => JSON.parse(line));
        expect(read).toEqual([
          ...texts.map((one) => ({ at: count, type: 'text', text: one })),
          { at: count, type: 'notice', text: texts.join('') },
        ]);
      }),
      { numRuns: 150, reaches: [escaped, wide] },
    );
  });

  it('A session log quotes byte for byte as JSON does, at every length and position of a character [B9]', () => {
    const file = join(folder, 'places.jsonl');
    const log = createLogFile(file);
    const texts: string[] = [];
    for (let code = 0; code < 130; code += 1) {
      for (const length of [0, 1, 15, 16, 17, 31, 40]) {
        const text = `${'x'.repeat(length)}${String.fromCharCode(code)}${'y'.repeat((code * 7) % 33)}`;
        texts.push(text);
        log.write({ at: 1, type: 'text', text });
      }
    }
    const worst = '\u0001'.repeat(131_072);
    log.write({ at: 1, type: 'text', text: worst });
    log.close();
    const expected = [...texts, worst].map((text) => `${JSON.stringify({ at: 1, type: 'text', text })}\n`);
    expect(readFileSync(file, 'utf8') === expected.join('')).toBe(true);
  });

  it('A session log accepts chunks larger than any pipe delivers [B9]', () => {
    const file = join(folder, 'large.jsonl');
    const log = createLogFile(file);
    const text = 'x'.repeat(3_000_000);
    log.write({ at: 1, type: 'text', text });
    log.close();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ at: 1, type: 'text', text });
  });
});
