// Decodes keys from the bytes of a terminal. A read can end anywhere, also inside a letter or an escape
// sequence.
// An escape sequence is always read to its end and never taken for letters: one letter can start a paid turn.

/** A key that the menu knows; all others are dropped. */
export type Key =
  | { readonly kind: 'character'; readonly text: string }
  /** Text between the terminal's paste markers. */
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: PlainKey };

type PlainKey =
  | 'up'
  | 'down'
  | 'enter'
  | 'escape'
  | 'backspace'
  | 'erase-word'
  | 'erase-line'
  | 'redraw'
  | 'interrupt'
  | 'end-of-input'
  | 'suspend';

export interface KeyDecoder {
  /** Contract: the same bytes give the same keys, wherever they are split. */
  push(bytes: Uint8Array): Key[];
  /** True while the last byte is an ESC, which is a key or the beginning of a sequence. */
  isUndecided(): boolean;
  /** Called after a pause: the ESC was a key. A sequence that comes late is still read as one. */
  settle(): Key[];
}

const escape = '\u001B';
const pasteEnd = '\u001B[201~';
/** Far above the longest text that is kept, so truncation never matters. */
const pasteCharsMax = 16_384;
const parameterCharsMax = 32;
/** A terminal's answer to another program's query; an endless one is given up. */
const stringCharsMax = 4096;

const controlKeys: ReadonlyMap<string, PlainKey> = new Map([
  ['\r', 'enter'],
  ['\n', 'enter'],
  ['\u0003', 'interrupt'],
  ['\u0004', 'end-of-input'],
  ['\u0008', 'backspace'],
  ['\u007F', 'backspace'],
  ['\u000C', 'redraw'],
  ['\u0015', 'erase-line'],
  ['\u0017', 'erase-word'],
  ['\u001A', 'suspend'],
]);

// Control characters, characters that change the text direction, and replacements of invalid UTF-8.
const unprintable = new RegExp(
  String.raw`^[\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069\uFEFF\uFFFD]$`,
);

type State =
  | 'ground'
  | 'escape'
  | 'late-escape'
  | 'sequence'
  | 'application'
  | 'console'
  | 'string'
  | 'paste';

/** The state of the decoder after the last byte. */
interface Position {
  state: State;
  /** Characters read since the state was entered, as far as needed. */
  read: string;
  /** The last characters of a paste, also of one that is too long to keep. */
  tail: string;
}

export function createKeyDecoder(): KeyDecoder {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  const position: Position = { state: 'ground', read: '', tail: '' };
  return {
    push: (bytes) =>
      Array.from(utf8.decode(bytes, { stream: true })).flatMap((character) => take(position, character)),
    isUndecided: () => position.state === 'escape',
    settle() {
      if (position.state !== 'escape') return [];
      enter(position, 'late-escape');
      return [{ kind: 'escape' }];
    },
  };
}

function enter(position: Position, state: State): Key[] {
  Object.assign(position, { state, read: '', tail: '' });
  return [];
}

function take(position: Position, character: string): Key[] {
  const { state } = position;
  if (state === 'paste') return takePasted(position, character);
  if (state === 'ground') return takeGround(position, character);
  if (character === escape) {
    enter(position, 'escape');
    return state === 'escape' ? [{ kind: 'escape' }] : [];
  }
  // A control character ends the sequence it interrupts: no unfinished sequence can block Ctrl-C.
  if (character < ' ') {
    enter(position, 'ground');
    const isEnd = state === 'string' && character === '\u0007';
    return isEnd ? [] : takeGround(position, character);
  }
  return takeInSequence(position, character);
}

function takeGround(position: Position, character: string): Key[] {
  if (character === escape) return enter(position, 'escape');
  const kind = controlKeys.get(character);
  if (kind !== undefined) return [{ kind }];
  return unprintable.test(character) ? [] : [{ kind: 'character', text: character }];
}

function takeInSequence(position: Position, character: string): Key[] {
  const { state } = position;
  if (state === 'sequence') return takeParameter(position, character);
  if (state === 'string') {
    position.read += character;
    return position.read.length > stringCharsMax ? enter(position, 'ground') : [];
  }
  const isAfterEscape = state === 'escape' || state === 'late-escape';
  if (isAfterEscape && character === '[') return enter(position, 'sequence');
  if (isAfterEscape && character === 'O') return enter(position, 'application');
  if (state === 'escape' && /^[\]P_^X]$/.test(character)) return enter(position, 'string');
  enter(position, 'ground');
  if (state === 'application') return keyOfFinal(character);
  // A letter right after ESC is Alt with that letter: no key of ours.
  return state === 'late-escape' ? takeGround(position, character) : [];
}

function takeParameter(position: Position, character: string): Key[] {
  const { read } = position;
  const isFinal = character >= '@' && character <= '~';
  if (!isFinal) {
    if (read.length < parameterCharsMax) position.read += character;
    return [];
  }
  // The Linux console writes its first function keys as ESC [ [ A.
  if (character === '[' && read === '') return enter(position, 'console');
  if (character === '~' && read === '200') return enter(position, 'paste');
  enter(position, 'ground');
  return character === 'A' || character === 'B' ? keyOfFinal(character) : [];
}

function takePasted(position: Position, character: string): Key[] {
  if (position.read.length < pasteCharsMax) position.read += character;
  position.tail = (position.tail + character).slice(-pasteEnd.length);
  if (position.tail !== pasteEnd) return [];
  const { read } = position;
  enter(position, 'ground');
  return [{ kind: 'paste', text: read.endsWith(pasteEnd) ? read.slice(0, -pasteEnd.length) : read }];
}

function keyOfFinal(character: string): Key[] {
  if (character === 'A') return [{ kind: 'up' }];
  if (character === 'B') return [{ kind: 'down' }];
  return character === 'M' ? [{ kind: 'enter' }] : [];
}
