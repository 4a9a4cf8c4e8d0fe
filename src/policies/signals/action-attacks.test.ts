import { describe, expect, it } from 'vitest';
import type { SignalWords } from '#kernel/model/signal.ts';
import { createSignalReader } from './signals.ts';
import { createActionReader } from './action-reader.ts';
import type { ActionReading } from './report-of.ts';

function read(...pieces: readonly string[]): ActionReading {
  const reader = createActionReader();
  for (const piece of pieces) reader.onText(piece);
  return reader.end();
}

const begin = 'ACTION_RESULT:\n- action: DEVELOP\n- status: success\n';
const end = '\nNEXT_ACTION_NEEDED: VALIDATE\n';

describe('The state of an agent', () => {
  it('A state of 50 MB is refused with a sentence, and the turn is not lost silently [A2]', () => {
    const reader = createActionReader();
    reader.onText(`${begin}- state_updates: {"a":"`);
    const piece = 'x'.repeat(64 * 1024);
    for (let count = 0; count < 800; count += 1) reader.onText(piece);
    reader.onText(`"}${end}`);
    expect(reader.end()).toMatchObject({
      kind: 'problems',
      problems: [expect.stringContaining('more than 256 KB before the end of your answer')],
    });
  });

  it('A state that exceeds only our limit is refused with that limit [A2]', () => {
    const text = `${begin}- state_updates: ${JSON.stringify({ a: 'x'.repeat(70_000) })}${end}`;
    expect(read(text)).toEqual({
      kind: 'problems',
      problems: ['state_updates is larger than 64 KB of JSON; send less.'],
    });
    const small = { a: 'x'.repeat(60_000) };
    expect(read(`${begin}- state_updates: ${JSON.stringify(small)}${end}`)).toMatchObject({
      kind: 'report',
      report: { stateUpdates: small },
    });
  });

  it.each([
    ['objects', '{"a":', '}'],
    ['lists', '[', ']'],
  ])('A state of 100,000 %s inside each other is refused [A2]', (_, open, close) => {
    const deep = `{"a":${open.repeat(30_000)}1${close.repeat(30_000)}}`;
    expect(read(`${begin}- state_updates: ${deep}${end}`)).toEqual({
      kind: 'problems',
      problems: ['state_updates is nested more than 8 levels deep; make it flatter.'],
    });
    const deeper = `{"a":${open.repeat(100_000)}1${close.repeat(100_000)}}`;
    expect(read(`${begin}- state_updates: ${deeper}${end}`).kind).toBe('problems');
    expect(read(`{"action":"INIT","state_updates":${deep}}`).kind).toBe('problems');
  });

  it('A report of 10,000 reports inside each other is refused [A2]', () => {
    const deep = `${'{"ACTION_RESULT":'.repeat(10_000)}{"action":"INIT"}${'}'.repeat(10_000)}`;
    expect(read(deep).kind).not.toBe('report');
    expect(read(`ACTION_RESULT: ${deep}`).kind).not.toBe('report');
  });

  it('A state never reaches the prototype of objects [A2]', () => {
    const json =
      '{"a":1,"__proto__":{"isAdmin":true},"b":{"constructor":{"prototype":{"isAdmin":true}}},"c":[{"prototype":1,"d":2}]}';
    const reading = read(`${begin}- state_updates: ${json}${end}`);
    if (reading.kind !== 'report') throw new Error(`unexpected ${reading.kind}`);
    expect(reading.report.stateUpdates).toStrictEqual({ a: 1, b: {}, c: [{ d: 2 }] });
    expect(Object.getPrototypeOf(reading.report.stateUpdates)).toBe(Object.prototype);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

describe('A flood', () => {
  it('Of ten thousand blocks the last one counts [A2]', () => {
    const blocks = Array.from({ length: 10_000 }, (_, at) => `${begin}- message: turn ${at}${end}\n`);
    expect(read(...blocks)).toMatchObject({ report: { message: 'turn 9999', next: 'VALIDATE' } });
    const templates = `ACTION_RESULT:\n- action: <one>\n`.repeat(7000);
    expect(read(...blocks, templates)).toMatchObject({ report: { message: 'turn 9999' } });
  });

  it('A block after a million dashes, or inside of them, is read or not, and nothing fails [A2]', () => {
    const dashes = '-'.repeat(1_000_000);
    expect(read(`${dashes}\n${begin}${end}`)).toMatchObject({ kind: 'report' });
    expect(read(`${dashes}${begin}${end}`).kind).not.toBe('report');
    expect(read(`${begin}- message: ${dashes}${end}`).kind).not.toBe('report');
    expect(read(`${begin}- message: ${'-'.repeat(100_000)}${end}`)).toMatchObject({ kind: 'report' });
  });

  it('A block after code blocks that are never closed counts as the last answer [A2]', () => {
    const open = '```js\n'.repeat(200_000);
    expect(read(`${open}${begin}${end}`)).toMatchObject({ kind: 'report' });
    expect(read(`${open}${begin}${end}\nThat was a file.`)).toMatchObject({
      kind: 'problems',
      problems: [expect.stringContaining('counts as quoted')],
    });
  });

  it('A code block that was opened before the text that is kept still quotes a block [A2]', () => {
    const filler = 'a line of the file\n'.repeat(20_000);
    expect(read(`\`\`\`\n${filler}${begin}${end}${'more\n'}\`\`\`\nDone.`).kind).toBe('problems');
    expect(read(`\`\`\`\n${filler}\`\`\`\n${begin}${end}\nDone.`).kind).toBe('report');
  });

  it('A JSON object after text that is no longer kept is not a whole answer [A2]', () => {
    const object = '\n{"action":"INIT","status":"success"}';
    expect(read('word '.repeat(60_000), object)).toEqual({ kind: 'none' });
    const reader = createActionReader();
    reader.onText('word '.repeat(60_000));
    reader.onToolCall();
    reader.onText(object);
    expect(reader.end()).toMatchObject({ kind: 'report' });
  });

  it('A reader keeps a bounded part of a text that is longer than any string can be [A2]', () => {
    const reader = createActionReader();
    const piece = 'y'.repeat(1024 * 1024);
    for (let count = 0; count < 600; count += 1) reader.onText(piece);
    reader.onText(`\n${begin}${end}`);
    expect(reader.end().kind).toBe('report');
  });
});

describe('The time of a reading', () => {
  const starts = [
    '',
    `${begin}- state_updates: {"a":1,`,
    `${begin}FILES_UPDATED:\n`,
    `${begin}- message: `,
    '{"action":',
  ];
  const units = [
    '-',
    '- ',
    '-\n',
    ' ',
    '> ',
    '*',
    '`',
    '```\n',
    '```j\n',
    '~~~\n```j\n',
    '{',
    '{"a":',
    '[1,',
    '[]',
    ',',
    '"',
    '"\\',
    '/* ',
    '//\n',
    '\r',
    '\u001b[',
    '\u001b]',
    '\u001b[0',
    'ACTION_RESULT:\n',
    `> ${begin}`,
    `\`\`\`\n${begin}`,
    `${begin}${end}`,
    '- action: <x>\n',
    '- status: ok\n',
    'NEXT_ACTION_NEEDED: \n',
    'a b',
    '1. ',
    'ACTION_RESULT',
    'x: ',
  ];

  it.each(starts)(
    'A text that is 100 times as long takes at most 150 times as long (after %j) [A2]',
    (start) => {
      const ratios = units.map((unit) => {
        const small = start + unit.repeat(Math.ceil(2_400 / unit.length));
        const large = start + unit.repeat(Math.ceil(240_000 / unit.length));
        return {
          unit,
          ratio: bestRatio(
            () => read(small),
            () => read(large),
          ),
        };
      });
      expect(ratios.filter(({ ratio }) => ratio > 150)).toEqual([]);
    },
  );

  it('A stream that is 100 times as long takes at most 150 times as long [A2]', () => {
    const ratios = units.map((unit) => {
      const piece = unit.repeat(Math.ceil((16 * 1024) / unit.length));
      const large = Array.from({ length: 100 }, () => piece);
      return {
        unit,
        ratio: bestRatio(
          () => read(piece),
          () => read(...large),
        ),
      };
    });
    expect(ratios.filter(({ ratio }) => ratio > 150)).toEqual([]);
  });
});

/**
 * How many times as much processor time the second takes as the first, at best: another program on the machine can make
 * some rounds worse, but no round of work that is not linear gets good.
 */
function bestRatio(small: () => unknown, large: () => unknown): number {
  let best = Infinity;
  for (let round = 0; round < 30 && best > 150; round += 1) {
    const ofSmall = processorTime(() => {
      for (let count = 0; count < 100; count += 1) small();
    });
    best = Math.min(best, (100 * processorTime(large)) / ofSmall);
  }
  return best;
}

function processorTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system + 1;
}

describe('The signal of an action loop', () => {
  const words: SignalWords = { done: '===WIGGUM_COMPLETE===', reportTag: null, actions: true };
  const signalOf = (...texts: readonly string[]): unknown => {
    const reader = createSignalReader(words);
    for (const [at, text] of texts.entries()) {
      if (at > 0) reader.onToolCall();
      reader.onText(text);
    }
    return reader.end();
  };

  it('The last ACTION_RESULT is the only signal of a role that gives actions [A2]', () => {
    expect(signalOf('Working.', `${begin}${end}`, 'Saved the notes.\n===WIGGUM_COMPLETE===')).toMatchObject({
      kind: 'action',
      report: { action: 'DEVELOP', status: 'success', next: 'VALIDATE' },
    });
  });

  it('An answer without a block, or with a broken one, gives a precise error [A2]', () => {
    expect(signalOf('All done.\n===WIGGUM_COMPLETE===')).toEqual({
      kind: 'action-unreadable',
      problems: [
        'Your answer has no ACTION_RESULT block. End it with one, in the format that you were given.',
      ],
      text: 'All done.\n===WIGGUM_COMPLETE===',
    });
    expect(signalOf(`${begin.replace('DEVELOP', 'FLY')}${end}`)).toEqual({
      kind: 'action-unreadable',
      problems: ['Unknown action "FLY"; use one of INIT, DEVELOP, DEBUG, VALIDATE, COMPLETE.'],
      text: `${begin.replace('DEVELOP', 'FLY')}${end}`,
    });
  });

  it('A role without actions does not read the block [A2]', () => {
    const reader = createSignalReader({ done: '===WIGGUM_COMPLETE===', reportTag: null });
    reader.onText(`${begin}${end}`);
    expect(reader.end()).toEqual({ kind: 'continue' });
  });
});
