import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Signal, SignalWords } from '#kernel/model/signal.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { createSignalReader } from './signals.ts';

const builder: SignalWords = { done: '===WIGGUM_COMPLETE===', reportTag: null };
const verifier: SignalWords = { done: '===VERIFIER_COMPLETE===', reportTag: 'verifier-report' };
const tool = Symbol('tool');
type Said = string | typeof tool;

function read(words: SignalWords, ...said: readonly Said[]): Signal {
  const reader = createSignalReader(words);
  for (const one of said) {
    if (one === tool) reader.onToolCall();
    else reader.onText(one);
  }
  return reader.end();
}

describe('The completion marker', () => {
  it.each([
    ['alone', '===WIGGUM_COMPLETE==='],
    ['after prose', 'All is well.\n===WIGGUM_COMPLETE===\n'],
    ['before prose', '===WIGGUM_COMPLETE===\nThank you.'],
    ['bold', '**===WIGGUM_COMPLETE===**'],
    ['bold by underscores', '__===WIGGUM_COMPLETE===__'],
    ['in backticks', 'Done:\n`===WIGGUM_COMPLETE===`'],
    ['bold in backticks with blanks', '  **`===WIGGUM_COMPLETE===`**  '],
    ['with Windows line ends', 'Done.\r\n===WIGGUM_COMPLETE===\r\n'],
    ['after a closed block', '```js\ncode\n```\n===WIGGUM_COMPLETE==='],
    ['after a closed block of tildes', '~~~\ncode\n~~~~\n===WIGGUM_COMPLETE==='],
    ['after triple backticks in one line', '```code``` is fine\n===WIGGUM_COMPLETE==='],
  ])('The completion marker counts %s [B3]', (_, text) => {
    expect(read(builder, text)).toEqual({ kind: 'done' });
  });

  it.each([
    ['in prose', 'I will say ===WIGGUM_COMPLETE=== later'],
    ['at the end of a sentence', 'Not yet: ===WIGGUM_COMPLETE==='],
    ['quoted', '> ===WIGGUM_COMPLETE==='],
    ['in quotes', '"===WIGGUM_COMPLETE==="'],
    ['twice on a line', '===WIGGUM_COMPLETE=== ===WIGGUM_COMPLETE==='],
    ['in a code block', '```\n===WIGGUM_COMPLETE===\n```'],
    ['in a block of tildes', '~~~\n===WIGGUM_COMPLETE===\n~~~'],
    ['in an indented block', '  - item\n    ```text\n    ===WIGGUM_COMPLETE===\n    ```'],
    ['in a block that begins in a list', '- ```\n  ===WIGGUM_COMPLETE===\n  ```'],
    ['in an unclosed block', 'Look:\n```\n===WIGGUM_COMPLETE==='],
    ['in a longer block around a shorter one', '````md\n```\n===WIGGUM_COMPLETE===\n```\n````'],
    ['in a block inside a block', '```md\n```js\ncode\n```\n===WIGGUM_COMPLETE===\n```'],
    ['in backticks where tildes do not close', '```\n~~~\n===WIGGUM_COMPLETE===\n```'],
    ['with a letter missing', '==WIGGUM_COMPLETE==='],
    ['as the word of the other role', '===VERIFIER_COMPLETE==='],
    ['behind a very long line of its own', `${' '.repeat(3000)}x ===WIGGUM_COMPLETE===`],
  ])('The completion marker does not count %s [B3]', (_, text) => {
    expect(read(builder, text)).toEqual({ kind: 'continue' });
  });

  it('The completion marker counts only after the last tool call [B3]', () => {
    expect(read(builder, '===WIGGUM_COMPLETE===', tool)).toEqual({ kind: 'continue' });
    expect(read(builder, '===WIGGUM_COMPLETE===\n', tool, 'one more fix')).toEqual({ kind: 'continue' });
    expect(read(builder, 'fixing', tool, '===WIGGUM_COMPLETE===')).toEqual({ kind: 'done' });
  });

  it('The completion marker is not joined across a tool call, and an open block ends there [B3]', () => {
    expect(read(builder, '===WIGGUM_', tool, 'COMPLETE===')).toEqual({ kind: 'continue' });
    expect(read(builder, '```\ncode', tool, '===WIGGUM_COMPLETE===')).toEqual({ kind: 'done' });
  });

  it('An empty output means continue [B6]', () => {
    expect(read(builder)).toEqual({ kind: 'continue' });
    expect(read(verifier)).toEqual({ kind: 'continue' });
    expect(read(verifier, '  \n', tool, '\n')).toEqual({ kind: 'continue' });
  });
});

describe('The report of a verifier', () => {
  it('The marker without a report is a pass [B5]', () => {
    expect(read(verifier, 'All checked.\n===VERIFIER_COMPLETE===')).toEqual({ kind: 'done' });
  });

  it('A report overrides the marker, whichever comes first [B5]', () => {
    const text = '<verifier-report>\nbroken\n</verifier-report>\n===VERIFIER_COMPLETE===';
    expect(read(verifier, text)).toEqual({ kind: 'report', text: 'broken' });
    expect(read(verifier, '<verifier-report>old</verifier-report>', tool, '===VERIFIER_COMPLETE===')).toEqual(
      {
        kind: 'report',
        text: 'old',
      },
    );
  });

  it('The last of several reports counts, and an empty one does not [B6]', () => {
    const two = '<verifier-report>a</verifier-report> then <verifier-report>b</verifier-report>';
    expect(read(verifier, two)).toEqual({ kind: 'report', text: 'b' });
    const emptyLast = '<verifier-report>a</verifier-report><verifier-report> </verifier-report>';
    expect(read(verifier, emptyLast)).toEqual({ kind: 'report', text: 'a' });
    expect(read(verifier, '<verifier-report></verifier-report>\n===VERIFIER_COMPLETE===')).toEqual({
      kind: 'done',
    });
  });

  it('A report may lack its closing tag where it begins a line; a mention in prose does not count [B6]', () => {
    expect(read(verifier, 'Hm.\n<verifier-report>\ncut off he')).toEqual({
      kind: 'report',
      text: 'cut off he',
    });
    const mention = 'No <verifier-report> is needed.\n===VERIFIER_COMPLETE===';
    expect(read(verifier, mention)).toEqual({ kind: 'done' });
  });

  it('Without a tag and a marker, the whole output is the report, labelled as untagged [B6]', () => {
    expect(read(verifier, 'It does not', tool, 'work.')).toEqual({
      kind: 'report',
      text: 'It does not\nwork.',
      isUntagged: true,
    });
  });

  it('A long report keeps its begin and end, and says how much is left out [B6]', () => {
    const signal = read(verifier, `<verifier-report>BEGIN${'é'.repeat(500_000)}END</verifier-report>`);
    if (signal.kind !== 'report') throw new Error(`unexpected ${signal.kind}`);
    expect(Buffer.byteLength(signal.text)).toBeLessThanOrEqual(64 * 1024 + 64);
    expect(signal.text).toMatch(/^BEGINé+\n\[… \d+ characters left out …\]\né+END$/);
  });

  it('A long output without tags keeps its end [B6]', () => {
    const signal = read(verifier, ...Array.from({ length: 500 }, () => 'x'.repeat(1000)), '\nthe end');
    if (signal.kind !== 'report') throw new Error(`unexpected ${signal.kind}`);
    expect(signal.text.endsWith('the end')).toBe(true);
    expect(signal.text.length).toBeLessThan(66_000);
  });
});

describe('Any cut of the text', () => {
  const part = fc.constantFrom(
    '===WIGGUM_COMPLETE===',
    '===VERIFIER_COMPLETE===',
    '\n',
    '\r\n',
    '```',
    '````',
    '~~~',
    'js',
    '**',
    '`',
    '> ',
    '- ',
    ' ',
    'prose',
    '🙂é',
    '<verifier-report>',
    '</verifier-report>',
    '<verifier',
    'x'.repeat(1100),
    ' '.repeat(70),
  );
  const decisive = fc.constantFrom(
    '',
    '\n===WIGGUM_COMPLETE===\n',
    '\n===VERIFIER_COMPLETE===\n',
    '\n<verifier-report>\nit fails\n</verifier-report>\n',
  );
  const text = fc
    .tuple(fc.array(part, { maxLength: 24 }), decisive, fc.array(part, { maxLength: 2 }))
    .map(([before, line, after]) => [...before, line, ...after].join(''));

  it.each([builder, verifier])('Any cut of the text gives the same signal [B3] [B6] (%o)', (words) => {
    const done = countReached('a text that says done', { floor: 0.1 });
    const report = countReached('a report between its tags', { floor: 0.2 });
    assertProperty(
      fc.property(text, fc.array(fc.nat(200), { maxLength: 200 }), (whole, lengths) => {
        const pieces: string[] = [];
        let at = 0;
        for (const length of lengths) {
          pieces.push(whole.slice(at, at + length));
          at += length;
        }
        pieces.push(whole.slice(at));
        const signal = read(words, whole);
        if (signal.kind === 'done') done.mark();
        if (signal.kind === 'report' && signal.text.length < whole.length) report.mark();
        expect(read(words, ...pieces)).toEqual(read(words, whole));
        expect(read(words, ...whole.split(''))).toEqual(read(words, whole));
      }),
      { numRuns: 2000, reaches: words.reportTag === null ? [done] : [done, report] },
    );
  });

  it('A million code blocks that are never closed are read, and the text after them is quoted [B3]', () => {
    expect(read(builder, '```js\n'.repeat(1_000_000), '===WIGGUM_COMPLETE===')).toEqual({ kind: 'continue' });
  });

  it('The reader keeps only a bounded part of a flood [B3]', () => {
    const reader = createSignalReader(verifier);
    const piece = 'y'.repeat(65_536);
    for (let count = 0; count < 2_000; count += 1) reader.onText(piece);
    const signal = reader.end();
    expect(signal.kind === 'report' && signal.text.length).toBeLessThan(66_000);
  });
});

describe('A question to a person', () => {
  const asking: SignalWords = { ...builder, needsInput: '===NEEDS_INPUT===' };

  it.each([
    ['after the marker', 'I am stuck.\n===NEEDS_INPUT===\nEuro or dollar?\n'],
    ['after a bold one', '**===NEEDS_INPUT===**\n\nEuro or dollar?'],
    ['before the marker', 'Some words.\n\nEuro or dollar?\n\n===NEEDS_INPUT===\n'],
    ['beside the word for done', '===WIGGUM_COMPLETE===\n===NEEDS_INPUT===\nEuro or dollar?'],
  ])('A question is read %s, and never counts as done [U4] [B3]', (_, text) => {
    const expected = { kind: 'needs-input', question: 'Euro or dollar?' };
    expect(read(asking, text)).toEqual(expected);
    expect(read(asking, ...text.split(/(?=[A-Z=])/))).toEqual(expected);
  });

  it.each([
    ['in prose', 'I would say ===NEEDS_INPUT=== if I had to.'],
    ['in a code block', '```\n===NEEDS_INPUT===\nEuro?\n```'],
    ['quoted', '> ===NEEDS_INPUT==='],
  ])('A question marker does not count %s [U4]', (_, text) => {
    expect(read(asking, text)).toEqual({ kind: 'continue' });
  });

  it('A question does not count before a tool call or for a role that cannot ask, and it is bounded [U4]', () => {
    expect(read(asking, '===NEEDS_INPUT===\nEuro?', tool, '\n===WIGGUM_COMPLETE===')).toEqual({
      kind: 'done',
    });
    expect(read(builder, '===NEEDS_INPUT===\nEuro?')).toEqual({ kind: 'continue' });
    const long = read(asking, `===NEEDS_INPUT===\n${'x'.repeat(100_000)}`);
    expect(long.kind === 'needs-input' && long.question.length).toBeLessThanOrEqual(4000);
  });
});
