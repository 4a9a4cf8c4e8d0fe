import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActionReport, ActionState } from '#kernel/actions/action.ts';
import { actionNames, actionStatuses, actionWishes } from '#kernel/actions/action.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { renderActionReport } from '#test/signals/render-action-report.ts';
import { createActionReader } from './action-reader.ts';
import { plainText, withoutNul } from './plain-text.ts';
import { createRecentText, droppedLines } from './recent-text.ts';
import { actionFormat, withoutActionBlocks } from './action-format.ts';
import type { ActionReading } from './report-of.ts';

const tool = Symbol('tool');
type Said = string | typeof tool;

function read(...said: readonly Said[]): ActionReading {
  const reader = createActionReader();
  for (const one of said) {
    if (one === tool) reader.onToolCall();
    else reader.onText(one);
  }
  return reader.end();
}

const oddLine = fc.constantFrom(
  'ACTION_RESULT:',
  '- action: DEBUG',
  '- status: failed',
  'FILES_UPDATED:',
  'NEXT_ACTION_NEEDED: COMPLETED',
  '```',
  '```json',
  '~~~',
  '> quoted',
  '    code',
  '**bold**',
  '"quoted"',
  '{"a": 1}',
  '\u001b[31mred\u001b[0m',
  'caf\u00e9 \u{1f642}',
  '',
);
const prose = fc
  .array(fc.oneof(oddLine, fc.string({ unit: 'grapheme', maxLength: 20 }), fc.lorem()), { maxLength: 4 })
  .map((lines) => withoutNul(plainText(lines.join('\n'))).trim());
const file = fc
  .oneof(
    fc.constantFrom('src/a.ts', 'none', '-', 'a b.md', 'x: y', '`a`', 'C:\\a'),
    fc.string({ maxLength: 12 }),
  )
  .map((name) => withoutNul(plainText(name)))
  .filter((name) => name !== '');
const state = fc
  .dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 4 })
  .map((value) => JSON.parse(JSON.stringify(value)) as ActionState)
  .filter((value) => !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(value)));

const reports: fc.Arbitrary<ActionReport> = fc.record({
  action: fc.constantFrom(...actionNames, 'MENU' as const),
  status: fc.constantFrom(...actionStatuses),
  message: prose,
  stateUpdates: state,
  filesUpdated: fc.array(file, { maxLength: 4 }),
  menuOptions: prose,
  next: fc.constantFrom(...actionWishes),
});

type Change = (text: string) => string;
const field = /^- (action|status|message|state_updates):/gm;
const same: Change = (text) => text;

function eachField(write: (key: string) => string): Change {
  return (text) => text.replaceAll(field, (_, key: string) => write(key));
}

const fieldStyle = fc.constantFrom<Change>(
  same,
  eachField((key) => `* ${key}:`),
  eachField((key) => `• ${key} =`),
  eachField((key) => `3. ${key.toUpperCase()}:`),
  eachField((key) => `- **${key}**:`),
  eachField((key) => `- **${key}:**`),
  eachField((key) => `- __${key}__:`),
  eachField((key) => `  - \`${key}\`:`),
  eachField((key) => `\u001b[1m${key}\u001b[0m:`),
  eachField((key) => `\n${key.replaceAll('_', ' ')}:`),
);
const headerStyle = fc
  .constantFrom(
    '## ACTION_RESULT',
    '**ACTION_RESULT:**',
    '`ACTION_RESULT`',
    '- ACTION_RESULT =',
    'ACTION_RESULT:',
  )
  .map<Change>((header) => (text) => text.replace('ACTION_RESULT:', header));
/** Only the braces of the whole object: those inside may stand in strings. */
const jsonStyle = fc.constantFrom<Change>(
  same,
  (text) => text.replace(/^(\W*state.updates.*?)(\{.*\})$/im, '$1\n```json\n$2\n```'),
  (text) => text.replace(/^(\W*state.updates.*?)\{(.*)\}$/im, '$1{ // state\n$2 /* } */\n}'),
  (text) => text.replace(/^(\W*state.updates.*?)\{(.+)\}$/im, '$1{$2,\n}'),
);
const wrap = fc.constantFrom<{ readonly quotes: boolean; readonly change: Change }>(
  { quotes: false, change: same },
  { quotes: false, change: (text) => text.replaceAll(/^/gm, '  ') },
  { quotes: true, change: (text) => `\`\`\`\`\n${text}\n\`\`\`\`\n` },
  { quotes: true, change: (text) => `~~~text\n${text}` },
  { quotes: true, change: (text) => text.replaceAll(/^/gm, '> ') },
  { quotes: true, change: (text) => text.replaceAll(/^/gm, '    ') },
);
const example = renderActionReport({
  action: 'INIT',
  status: 'failed',
  message: 'an example',
  stateUpdates: { example: true },
  filesUpdated: [],
  menuOptions: '',
  next: 'STOPPED',
});
const before = fc.constantFrom(
  '',
  'I am done.\n\n',
  `\`\`\`md\n${example}\n\`\`\`\nThat was the README.\n`,
  `${example}\n\n`,
  `${actionFormat()}\n\n`,
);
const after = fc.constantFrom(
  '',
  '\n',
  '\n\nThat is all.',
  `\n\n\`\`\`\n${example}\n\`\`\`\nas in the README.`,
  `\n${actionFormat()}`,
);

describe('A report', () => {
  it('A report is read as it was written, under any decoration [A2]', () => {
    const isQuoted = countReached('a block in a code block, a quotation or an indentation', { floor: 0.3 });
    const isOdd = countReached('a message that has lines of a block in it', { floor: 0.1 });
    const isAfterOther = countReached('another block before it', { floor: 0.3 });
    const styles = fc.tuple(fieldStyle, headerStyle, jsonStyle, wrap);
    const around = fc.tuple(before, after, fc.boolean());
    assertProperty(
      fc.property(reports, styles, around, (report, style, [start, end, isWindows]) => {
        const [fields, header, json, { quotes, change }] = style;
        const block = change(header(json(fields(renderActionReport(report)))));
        const text = `${start}${block}${quotes ? '\n' : end}`;
        if (quotes) isQuoted.mark();
        if (/^(?:ACTION_RESULT|- \w+:|```)/m.test(report.message)) isOdd.mark();
        if (start.includes('ACTION_RESULT')) isAfterOther.mark();
        expect(read(isWindows ? text.replaceAll('\n', '\r\n') : text)).toEqual({ kind: 'report', report });
      }),
      { numRuns: 2000, reaches: [isQuoted, isOdd, isAfterOther] },
    );
  });
});

const part = fc.oneof(
  oddLine,
  fc.constantFrom(
    '\n',
    '\r\n',
    '\r',
    '`',
    ' ',
    '\u001b[',
    '\u001b',
    '\0',
    '- message: ',
    '- state_updates: {',
    '"',
    '}',
    ',',
    '//',
    '/*',
  ),
  fc.constantFrom('\n\n', actionFormat(), example, `\n${example}\n`, 'x'.repeat(1100)),
);

describe('Any text', () => {
  it('Any cut of a text into pieces gives the same reading [A2]', () => {
    const isReport = countReached('a text that holds a report', { floor: 0.2 });
    const isProblem = countReached('a text that holds a block with problems', { floor: 0.1 });
    const said = fc.array(fc.oneof({ weight: 9, arbitrary: part }, fc.constant(tool)), { maxLength: 20 });
    assertProperty(
      fc.property(said, fc.array(fc.nat(60), { maxLength: 100 }), (parts, lengths) => {
        const whole = read(...joined(parts));
        if (whole.kind === 'report') isReport.mark();
        if (whole.kind === 'problems') isProblem.mark();
        expect(read(...parts)).toEqual(whole);
        expect(read(...joined(parts).flatMap((one) => cut(one, lengths)))).toEqual(whole);
        expect(read(...joined(parts).flatMap(letters))).toEqual(whole);
      }),
      { numRuns: 1500, reaches: [isReport, isProblem] },
    );
  });

  it('A text that is longer than the kept part gives the same reading however it is cut [A2]', () => {
    const isOpen = countReached('a code block that was opened in the dropped text', { floor: 0.05 });
    const fill = fc.constantFrom(
      'x'.repeat(200_000),
      'a line\n'.repeat(40_000),
      '```\n'.repeat(33_333),
      `${example}\n\n`,
    );
    const texts = fc.tuple(fc.array(fill, { minLength: 2, maxLength: 4 }), fc.array(part, { maxLength: 6 }));
    assertProperty(
      fc.property(texts, fc.nat(300_000), fc.integer({ min: 1, max: 5 }), ([fills, parts], first, step) => {
        const text = [...fills, '\n', ...parts.filter((one) => one !== '\0')].join('');
        if (fills.some((one) => one.startsWith('```'))) isOpen.mark();
        const pieces = [text.slice(0, first)];
        for (let at = first; at < text.length; at += step * 1013)
          pieces.push(text.slice(at, at + step * 1013));
        expect(read(...pieces)).toEqual(read(text));
      }),
      { numRuns: 20, reaches: [isOpen] },
    );
  });

  it('An echo of a prompt is never a report, whatever foreign texts it holds [A2]', () => {
    const isBlock = countReached('a block in the texts of others', { floor: 0.15 });
    assertProperty(
      fc.property(fc.array(part, { maxLength: 12 }), fc.boolean(), (parts, isFirst) => {
        const text = parts.join('');
        if (read(text).kind === 'report') isBlock.mark();
        const pieces = [withoutActionBlocks(text), actionFormat()];
        expect(read((isFirst ? pieces : pieces.toReversed()).join('\n\n')).kind).not.toBe('report');
      }),
      { numRuns: 1000, reaches: [isBlock] },
    );
  });

  it('Random bytes never make the reader fail, also inside of a block [A2]', () => {
    const isBlock = countReached('bytes after the begin of a block', { floor: 0.3 });
    const begin = fc.constantFrom(
      '',
      'ACTION_RESULT:\n',
      'ACTION_RESULT:\n- action: INIT\n- state_updates: {',
      '{"action":',
    );
    assertProperty(
      fc.property(begin, fc.uint8Array({ maxLength: 2000 }), fc.boolean(), (start, bytes, isLatin) => {
        if (start !== '') isBlock.mark();
        const text = Buffer.from(bytes).toString(isLatin ? 'latin1' : 'utf8');
        expect(['report', 'problems', 'none']).toContain(read(start + text).kind);
      }),
      { numRuns: 1000, reaches: [isBlock] },
    );
  });
});

describe('The recent text', () => {
  it('The recent text keeps whole lines and passes every earlier line on once, in order [A2]', () => {
    const isCut = countReached('a text that is cut', { floor: 0.4 });
    const isLong = countReached('a line that is longer than what is kept', { floor: 0.1 });
    const line = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom('x'.repeat(70), 'y'.repeat(3000), ''),
    );
    assertProperty(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        fc.array(fc.nat(40), { maxLength: 60 }),
        (lines, lengths) => {
          const text = lines.map((one) => one.replaceAll('\n', ' ')).join('\n');
          const dropped: string[] = [];
          const recent = createRecentText(64, (some) => dropped.push(...droppedLines(some)));
          for (const piece of cut(text, lengths)) if (piece !== tool) recent.add(piece);
          const end = recent.end();
          if (end.isCut) isCut.mark();
          if (text.split('\n').some((one) => one.length > 64)) isLong.mark();
          expect(end.text.length).toBeLessThanOrEqual(64);
          const all = text.split('\n').map((one) => one.slice(0, 1024));
          const kept = dropped.length === all.length ? [] : end.text.split('\n');
          expect([...dropped, ...kept]).toEqual(all);
          expect(dropped.length === 0).toBe(text.length <= 64);
        },
      ),
      { numRuns: 1000, reaches: [isCut, isLong] },
    );
  });
});

function joined(parts: readonly Said[]): Said[] {
  const texts: Said[] = [];
  for (const one of parts) {
    const last = texts.at(-1);
    if (one !== tool && last !== undefined && last !== tool) texts[texts.length - 1] = last + one;
    else texts.push(one);
  }
  return texts;
}

function letters(text: Said): Said[] {
  return text === tool ? [text] : text.split('');
}

function cut(text: Said, lengths: readonly number[]): Said[] {
  if (text === tool) return [text];
  const pieces: string[] = [];
  let at = 0;
  for (const length of lengths) {
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return [...pieces, text.slice(at)];
}
