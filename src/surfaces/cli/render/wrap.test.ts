import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { columnsOf } from './width.ts';
import { wrapLine } from './wrap.ts';

describe('wrapLine', () => {
  test('A line that fits stays as it is, with its spaces', () => {
    expect(wrapLine('  ✓ setup:       npm ci', 80)).toEqual(['  ✓ setup:       npm ci']);
  });

  test('The rest of a long line is aligned below its text, behind mark and label', () => {
    expect(wrapLine('  ✓ sandbox:   agents and checks write only in the workspace', 40)).toEqual([
      '  ✓ sandbox:   agents and checks write',
      '               only in the workspace',
    ]);
  });

  test('The rest of a line with a time is aligned below its text', () => {
    expect(wrapLine('10:42:12 attempt 1 failed because a check failed', 30)).toEqual([
      '10:42:12 attempt 1 failed',
      '         because a check',
      '         failed',
    ]);
  });

  test('The rest of a numbered event stands below its text', () => {
    expect(wrapLine(' 5  2026-11-18 12:48:14  workspace ready on its branch', 62)).toEqual([
      ' 5  2026-11-18 12:48:14  workspace ready on its branch',
    ]);
    expect(wrapLine(' 5  2026-11-18 12:48:14  workspace ready on its own branch, from 33ea', 64)).toEqual([
      ' 5  2026-11-18 12:48:14  workspace ready on its own branch, from',
      '                         33ea',
    ]);
  });

  test('A label that takes most of the line does not push the text into a narrow column', () => {
    expect(wrapLine('            A long label: and some more words', 24)[1]).toBe('            label: and');
  });

  test('A command at the end of a long line stays in one piece on its own line', () => {
    const command = 'cd /tmp/a-folder && untildone resume 20261118-1042-d41f --budget usd=40';
    expect(wrapLine(`The run is parked. Continue with: ${command}`, 40)).toEqual([
      'The run is parked. Continue with:',
      `  ${command}`,
    ]);
  });

  test('A word that is wider than the terminal is broken, and nothing of it is lost', () => {
    const path = `/${'folder/'.repeat(12)}`;
    expect(wrapLine(`Logs: ${path}`, 30).join('').replaceAll(' ', '')).toBe(`Logs:${path}`);
  });

  test('No wrapped line is too wide, and no word is lost', () => {
    const words = fc.array(fc.stringMatching(/^[a-zé✅界.,:/-]{1,40}$/u), { minLength: 1, maxLength: 30 });
    const wrapped = countReached('a line that was wrapped', { floor: 0.25 });
    assertProperty(
      fc.property(words, fc.integer({ min: 20, max: 90 }), fc.nat(8), (list, columns, indent) => {
        const line = ' '.repeat(indent) + list.join(' ');
        const lines = wrapLine(line, columns);
        if (lines.length > 1) wrapped.mark();
        expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(columns);
        expect(lines.join('').replaceAll(' ', '')).toBe(line.replaceAll(' ', ''));
      }),
      { reaches: [wrapped], numRuns: 500 },
    );
  });
});
