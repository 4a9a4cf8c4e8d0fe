import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '#surfaces/cli/render/width.ts';
import { clean } from '#surfaces/cli/render/words.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { menuLines, type MenuView } from './menu-lines.ts';
import { firstState } from './menu-state.ts';
import { sampleEntries } from '#test/cli/sample-menu.ts';

const head = ['Goal: the login works', '', '  ✅ tests pass', '  ❌ docs name the setting'];
const view: MenuView = {
  head,
  entries: sampleEntries,
  state: firstState,
  columns: 80,
  rows: 24,
  isColoured: false,
};

function shown(changes: Partial<MenuView> = {}): string[] {
  return menuLines({ ...view, ...changes }).map(({ plain }) => plain);
}

function withoutColours(text: string): string {
  return ['\u001B[0m', '\u001B[1m', '\u001B[2m'].reduce((rest, colour) => rest.replaceAll(colour, ''), text);
}

describe('menuLines', () => {
  it('The menu shows the head, each choice with its description, the keys and a line for the cursor [A4]', () => {
    expect(shown()).toEqual([
      ...head,
      '',
      '› d  develop   let the agent work on what is open',
      '  b  debug     let the agent find the cause of a failure',
      '  v  validate  run the checks now',
      '  c  complete  end the run if everything is proven',
      '  x  exit      save and leave',
      '',
      'f: diff · l: log · s: status · t: message to the agent',
      'A letter, or ↑ ↓ and Enter: ',
    ]);
  });

  it('The menu breaks descriptions on a narrow terminal, and puts them under the names on a narrower one', () => {
    expect(shown({ columns: 40, head: [] }).slice(0, 3)).toEqual([
      '› d  develop   let the agent work on',
      '               what is open',
      '  b  debug     let the agent find the',
    ]);
    expect(shown({ columns: 24, head: [] }).slice(0, 4)).toEqual([
      '› d  develop',
      '     let the agent work',
      '     on what is open',
      '  b  debug',
    ]);
  });

  it('The menu drops descriptions first and the head last if there are few rows', () => {
    expect(shown({ columns: 40, rows: 11 })).toEqual([
      'Goal: the login works',
      '… 3 more lines',
      '› d  develop   let the agent work on w…',
      '  b  debug     let the agent find the …',
      '  v  validate  run the checks now',
      '  c  complete  end the run if everythi…',
      '  x  exit      save and leave',
      'f: diff · l: log · s: status',
      't: message to the agent',
      'A letter, or ↑ ↓ and Enter: ',
    ]);
  });

  it('The menu keeps the marked choice visible in a window of 20 columns and 5 rows, and gives its position', () => {
    const small = { columns: 20, rows: 5 };
    expect(shown(small)).toEqual(['› d  develop', '  b  debug', '  v  validate', '1/5 > ']);
    expect(shown({ ...small, state: { ...firstState, marked: 4 } })).toEqual([
      '  v  validate',
      '  c  complete',
      '› x  exit',
      '5/5 > ',
    ]);
  });

  it('The menu shows the typed text, and its end when it is longer than the line', () => {
    const typing = { ...firstState, isTyping: true, text: 'Grüße 👋' };
    expect(shown({ state: typing }).at(-1)).toBe('Text for develop: Grüße 👋');
    expect(shown({ state: typing }).at(-2)).toContain('Enter: send, with develop');
    const long = { ...typing, text: `${'word '.repeat(50)}end` };
    expect(shown({ state: long, columns: 40 }).at(-1)).toMatch(/^Text for develop: ….*word end$/);
  });

  it('The menu names the view that it is reading', () => {
    expect(shown({ state: { ...firstState, reading: 'diff' } }).at(-1)).toBe('Reading: diff …');
  });

  it('The menu lets no text in the head or in a name steer the terminal [A4]', () => {
    const hostile = '\u001B[2J\u001B]0;title\u0007a\u009B31m\u202Eb\nc\td\u0000';
    const choice = { key: 'd', name: hostile, description: hostile, takesText: true };
    const lines = menuLines({
      ...view,
      head: [hostile],
      entries: { ...sampleEntries, choices: [choice] },
      isColoured: true,
    });
    for (const { painted } of lines) expect(withoutColours(painted)).toMatch(/^[^\p{Cc}\u202E]*$/u);
    expect(lines[0]?.plain).toBe('a31mb c d');
  });

  it('The menu has colours only on request, and they change nothing else [A4]', () => {
    const coloured = menuLines({ ...view, isColoured: true });
    expect(coloured.some(({ painted }) => painted.includes('\u001B[1m'))).toBe(true);
    expect(coloured.map(({ painted }) => clean(painted))).toEqual(shown());
    expect(menuLines(view).map(({ painted }) => painted)).toEqual(shown());
  });
});

it('No line of the menu reaches the last column, all fit on the screen, and the marked choice is among them [A4]', () => {
  const narrow = countReached('a terminal narrower than 20 columns', { floor: 0.1 });
  const low = countReached('a terminal too low for all choices', { floor: 0.1 });
  const whole = countReached('a terminal with room for everything', { floor: 0.1 });
  const word = fc.constantFrom(
    'a',
    'word',
    '手順書',
    '✅',
    'Grüße',
    'x'.repeat(30),
    '\u001B[31m',
    '\t',
    '⚠\uFE0F',
  );
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
  const state = fc.record({
    marked: fc.nat({ max: 1 }),
    isTyping: fc.boolean(),
    text,
    reading: fc.option(text),
  });
  const choice = fc.record({ key: fc.constant('d'), name: text, description: text, takesText: fc.boolean() });
  const sizes = { columns: fc.integer({ min: 1, max: 100 }), rows: fc.integer({ min: 1, max: 40 }) };
  const views = fc.record({
    ...sizes,
    state,
    head: fc.array(text, { maxLength: 12 }),
    choices: fc.array(choice, { minLength: 1, maxLength: 8 }),
    isColoured: fc.boolean(),
  });
  assertProperty(
    fc.property(views, ({ choices, ...rest }) => {
      const lines = menuLines({ ...rest, entries: { ...sampleEntries, choices } });
      if (rest.columns < 20) narrow.mark();
      if (rest.rows - 2 < choices.length + 1) low.mark();
      if (lines.some(({ plain }) => plain === '') && rest.rows - 1 >= lines.length) whole.mark();
      for (const { plain } of lines)
        expect(columnsOf(plain)).toBeLessThanOrEqual(Math.max(1, rest.columns - 1));
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.length).toBeLessThanOrEqual(Math.max(1, rest.rows - 1));
      const marked = lines.filter(({ plain }) => plain.startsWith(rest.columns < 3 ? '…' : '›'));
      expect(rest.rows > 2 ? marked.length : 1).toBeGreaterThan(0);
    }),
    { reaches: [narrow, low, whole], numRuns: 500 },
  );
});
