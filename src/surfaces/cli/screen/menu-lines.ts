// Formats the menu as lines of a terminal. Pure: the same menu and size give the same lines.
// No line reaches the last column and all fit on the screen, so that the frame can be erased.
import { columnsOf, cutTo } from '#surfaces/cli/render/width.ts';
import { type Line, lineOf, lineOfTwo, type Paper, plainText, widthOf } from './line.ts';
import { type MenuEntries, type MenuState, textKey } from './menu-state.ts';

export interface MenuView extends Paper {
  /** State and criteria; it may contain text of agents. */
  readonly head: readonly string[];
  readonly entries: MenuEntries;
  readonly state: MenuState;
  readonly rows: number;
}

/** If there is less room, a description goes below its name. */
const descriptionColumnsMin = 16;
/** If there is less room, the cursor line has no words. */
const wordyColumnsMin = 40;

/** At least one line; the cursor stays after the text of the last one. */
export function menuLines(view: MenuView): readonly Line[] {
  const head = view.head.map((text) => lineOf(text, 'plain', view));
  const hints = hintLines(view);
  const choices = choiceLines(view, { isWhole: true });
  const prompt = promptLine(view);
  const blank = lineOf('', 'plain', view);
  const above = head.length === 0 ? [] : [...head, blank];
  const whole = [...above, ...choices.flat(), blank, ...hints, prompt];
  // One row stays free: some terminals scroll when their last one is written.
  const room = Math.max(1, view.rows - 1);
  return whole.length <= room ? whole : squeezed(view, head, room);
}

/** The cursor line first, then choices around the marked one, the hints, and the rest of the head. */
function squeezed(view: MenuView, head: readonly Line[], room: number): Line[] {
  const choices = choiceLines(view, { isWhole: false }).flat();
  const shown = around(choices, view.state.marked, room - 1);
  if (shown.length < choices.length) return [...shown, promptLine(view, { isPart: true })];
  const hints = hintLines(view).slice(0, room - 1 - shown.length);
  const left = room - 1 - shown.length - hints.length;
  return [...topOf(head, left, view), ...shown, ...hints, promptLine(view)];
}

/** At most `count` lines, including the marked one. */
function around(lines: readonly Line[], marked: number, count: number): readonly Line[] {
  const start = Math.max(0, Math.min(marked - Math.floor(count / 2), lines.length - count));
  return lines.slice(start, start + count);
}

/** The number of hidden lines takes a line, unless only one is hidden: that one is shown instead. */
function topOf(head: readonly Line[], count: number, view: MenuView): readonly Line[] {
  if (head.length <= count || count < 2) return head.slice(0, count);
  return [...head.slice(0, count - 1), lineOf(`… ${head.length - count + 1} more lines`, 'dim', view)];
}

/** The lines of each row. `isWhole` shows every description in full; otherwise a row is one line. */
function choiceLines(view: MenuView, { isWhole }: { readonly isWhole: boolean }): Line[][] {
  const rows = [...view.entries.choices, view.entries.exit];
  const nameColumns = Math.max(...rows.map(({ name }) => columnsOf(plainText(name))));
  return rows.map((row, index) => {
    const isMarked = index === view.state.marked;
    const name = plainText(row.name);
    const gap = ' '.repeat(nameColumns - columnsOf(name) + 2);
    const label = `${isMarked ? '›' : ' '} ${row.key}  ${name}`;
    const style = isMarked ? 'bold' : 'plain';
    const indent = columnsOf(label + gap);
    const isBeside = widthOf(view) - indent >= descriptionColumnsMin;
    if (!isBeside && !isWhole) return [lineOf(label, style, view)];
    if (!isWhole) return [lineOfTwo(label + gap, style, row.description, view)];
    const margin = isBeside ? indent : Math.min(5, widthOf(view) - 1);
    const [first = '', ...more] = wrapped(row.description, widthOf(view) - margin);
    const below = (isBeside ? more : [first, ...more]).map((text) =>
      lineOf(' '.repeat(margin) + text, 'dim', view),
    );
    return [isBeside ? lineOfTwo(label + gap, style, first, view) : lineOf(label, style, view), ...below];
  });
}

function hintLines(view: MenuView): Line[] {
  const texts = view.state.isTyping ? typingHints(view) : keyHints(view);
  return joined(texts, widthOf(view)).map((text) => lineOf(text, 'dim', view));
}

function typingHints({ entries, state }: MenuView): string[] {
  const name = entries.choices[state.marked]?.name ?? '';
  return [`Enter: send, with ${name}`, '↑ ↓: other choice', 'Ctrl-U: clear', 'Esc: back'];
}

function keyHints(view: MenuView): string[] {
  const { asides, choices } = view.entries;
  const keys = asides.map(({ key, name }) => `${key}: ${name}`);
  if (!choices.some(({ takesText }) => takesText)) return keys;
  return [...keys, `${textKey}: ${view.columns < wordyColumnsMin ? 'text' : 'message to the agent'}`];
}

/** `isPart`: not all choices are shown, so it says which one is marked. */
function promptLine(view: MenuView, { isPart = false } = {}): Line {
  const { entries, state, columns } = view;
  const isNarrow = columns < wordyColumnsMin;
  const width = widthOf(view);
  if (state.reading !== null) return lineOf(`Reading: ${state.reading} …`, 'plain', view);
  if (state.isTyping) {
    const name = plainText(entries.choices[state.marked]?.name ?? '');
    const label = cutTo(isNarrow ? '> ' : `Text for ${name}: `, Math.floor(width / 2));
    return lineOf(label + endOf(state.text, width - columnsOf(label)), 'plain', view);
  }
  const count = isPart ? `${state.marked + 1}/${entries.choices.length + 1} ` : '';
  return lineOf(`${count}${isNarrow ? '> ' : 'A letter, or ↑ ↓ and Enter: '}`, 'plain', view);
}

/** The end of a text, where the user types. */
function endOf(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let width = 1;
  const kept: string[] = [];
  for (const character of Array.from(text).toReversed()) {
    width += columnsOf(character);
    if (width > columns) break;
    kept.push(character);
  }
  return `…${kept.toReversed().join('')}`;
}

/** As few lines as hold all parts; a part is never broken. */
function joined(parts: readonly string[], width: number, between = ' · '): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = `${lines.at(-1) ?? ''}${between}${part}`;
    if (lines.length > 0 && columnsOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

function wrapped(text: string, width: number): string[] {
  const words = plainText(text).split(/\s+/);
  return joined(
    words.map((word) => cutTo(word, width)),
    width,
    ' ',
  );
}
