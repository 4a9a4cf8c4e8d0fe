// The effect of a key on the menu. Pure: the terminal is elsewhere.
import type { Key } from './decode-keys.ts';
import { plainText } from './line.ts';

export interface Choice {
  /** One character that chooses it directly. */
  readonly key: string;
  readonly name: string;
  readonly description: string;
  /** Whether a typed line for the agent can go with it. */
  readonly takesText: boolean;
}

/** Text printed above the menu, which stays. */
export interface Aside {
  readonly key: string;
  readonly name: string;
}

export interface MenuEntries {
  readonly choices: readonly Choice[];
  /** The last row. It leaves the menu. */
  readonly exit: Omit<Choice, 'takesText'>;
  readonly asides: readonly Aside[];
}

export interface MenuState {
  /** Index of a choice; the row after the last choice is the exit. */
  readonly marked: number;
  readonly isTyping: boolean;
  /** The line for the agent. Kept while the list is shown again, sent only from the line itself. */
  readonly text: string;
  /** Name of the aside that is being read. */
  readonly reading: string | null;
}

export type Press =
  | { readonly kind: 'shown'; readonly state: MenuState }
  | { readonly kind: 'chosen'; readonly name: string; readonly text: string | null }
  | { readonly kind: 'left'; readonly why: 'exit' | 'interrupt' | 'end-of-input' }
  | { readonly kind: 'aside'; readonly index: number }
  | { readonly kind: 'suspended' }
  | { readonly kind: 'ignored' };

export const textKey = 't';
/** The maximum length of an agent's question. */
const textCharsMax = 4000;

export const firstState: MenuState = { marked: 0, isTyping: false, text: '', reading: null };

/** Finds a bug of ours when the menu is first shown: two entries with one key. */
export function assertDistinctKeys({ choices, exit, asides }: MenuEntries): void {
  const keys = [...choices, exit, ...asides].map(({ key }) => key);
  if (choices.some(({ takesText }) => takesText)) keys.push(textKey);
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index);
  if (twice.length > 0) throw new Error(`two entries of a menu have the key ${twice.join(', ')}`);
}

export function press(state: MenuState, key: Key, entries: MenuEntries): Press {
  if (key.kind === 'interrupt') return { kind: 'left', why: 'interrupt' };
  if (key.kind === 'suspend') return { kind: 'suspended' };
  if (key.kind === 'redraw') return { kind: 'shown', state };
  if (state.isTyping) return pressTyping(state, key, entries);
  if (key.kind === 'end-of-input') return { kind: 'left', why: 'end-of-input' };
  return state.reading === null ? pressList(state, key, entries) : { kind: 'ignored' };
}

function pressList(state: MenuState, key: Key, entries: MenuEntries): Press {
  switch (key.kind) {
    case 'up':
      return moved(state, -1, entries);
    case 'down':
      return moved(state, 1, entries);
    case 'enter':
      return taken(state.marked, entries);
    case 'character':
      return pressLetter(state, key.text, entries);
    case 'paste':
      // A paste chooses nothing: its letters are text for the agent.
      return typing({ ...state, text: withText(state.text, key.text) }, entries);
    default:
      return { kind: 'ignored' };
  }
}

function pressLetter(state: MenuState, letter: string, entries: MenuEntries): Press {
  // Also with Caps Lock on.
  const isKey = (entry: { readonly key: string }): boolean =>
    entry.key === letter || entry.key === letter.toLowerCase();
  const row = [...entries.choices, entries.exit].findIndex(isKey);
  if (row >= 0) return taken(row, entries);
  const aside = entries.asides.findIndex(isKey);
  if (aside >= 0) return { kind: 'aside', index: aside };
  if (isKey({ key: textKey })) return typing(state, entries);
  if (letter === 'k') return moved(state, -1, entries);
  return letter === 'j' ? moved(state, 1, entries) : { kind: 'ignored' };
}

function pressTyping(state: MenuState, key: Key, entries: MenuEntries): Press {
  const edited = (text: string): Press => ({ kind: 'shown', state: { ...state, text } });
  switch (key.kind) {
    case 'character':
    case 'paste':
      return edited(withText(state.text, key.text));
    case 'backspace':
      return edited(withoutLast(state.text));
    case 'erase-word':
      return edited(state.text.replace(/\S*\s*$/u, ''));
    case 'erase-line':
      return edited('');
    case 'escape':
      return { kind: 'shown', state: { ...state, isTyping: false } };
    case 'up':
      return moved(state, -1, entries);
    case 'down':
      return moved(state, 1, entries);
    case 'enter':
      return sent(state, entries);
    case 'end-of-input':
      // As in a shell: only on an empty line.
      return state.text === '' ? { kind: 'left', why: 'end-of-input' } : { kind: 'ignored' };
    default:
      return { kind: 'ignored' };
  }
}

function taken(row: number, { choices }: MenuEntries): Press {
  const choice = choices[row];
  return choice === undefined
    ? { kind: 'left', why: 'exit' }
    : { kind: 'chosen', name: choice.name, text: null };
}

function sent(state: MenuState, { choices }: MenuEntries): Press {
  const text = state.text.trim();
  const choice = choices[state.marked];
  if (text === '' || choice === undefined) {
    return { kind: 'shown', state: { ...state, isTyping: false, text: '' } };
  }
  return { kind: 'chosen', name: choice.name, text };
}

/** The line goes with the marked choice, or with the first one that takes text. */
function typing(state: MenuState, { choices }: MenuEntries): Press {
  const marked =
    choices[state.marked]?.takesText === true
      ? state.marked
      : choices.findIndex(({ takesText }) => takesText);
  return marked < 0 ? { kind: 'ignored' } : { kind: 'shown', state: { ...state, isTyping: true, marked } };
}

/** Wraps around at the ends; while a line is typed, only over choices that take it. */
function moved(state: MenuState, by: 1 | -1, { choices }: MenuEntries): Press {
  const rows = choices.length + 1;
  let marked = state.marked;
  do marked = (marked + by + rows) % rows;
  while (state.isTyping && choices[marked]?.takesText !== true && marked !== state.marked);
  return { kind: 'shown', state: { ...state, marked } };
}

function withText(text: string, added: string): string {
  // A pasted line break does not end the line, or it would send a part.
  const line = plainText(added.replaceAll(/\r\n?|\n/g, ' '));
  return Array.from(text + line)
    .slice(0, textCharsMax)
    .join('');
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Without its last grapheme: an emoji or a letter with its accents is removed as a whole. */
function withoutLast(text: string): string {
  return text.slice(0, [...graphemes.segment(text)].at(-1)?.index ?? 0);
}
