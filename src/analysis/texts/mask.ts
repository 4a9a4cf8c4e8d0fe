// Blanks strings and comments in source text, so that brackets and words in it are code. Pure.

export type Language =
  | 'javascript'
  | 'python'
  | 'rust'
  | 'go'
  | 'java'
  | 'php'
  | 'ruby'
  | 'c'
  | 'perl'
  | 'shell';

const line = String.raw`\/\/[^\n]*`;
const block = String.raw`\/\*[\s\S]*?(?:\*\/|$)`;
const hash = String.raw`#[^\n]*`;
const single = String.raw`'(?:\\[\s\S]|[^'\\\n])*'`;
const double = String.raw`"(?:\\[\s\S]|[^"\\\n])*"`;
const regex = String.raw`(?<=(?:[(,=:[!&|?{};]|=>|\breturn)[ \t]*)\/(?![*\/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^\/\\\n[])+\/[a-z]*`;
const any = (quote: string): string => String.raw`${quote}(?:\\[\s\S]|[^${quote}\\])*${quote}`;

const patterns: Record<Language, string> = {
  javascript: [line, block, single, double, any('`'), regex].join('|'),
  python: [String.raw`("""|''')(?:\\[\s\S]|(?!\1)[\s\S])*(?:\1|$)`, single, double, hash].join('|'),
  rust: [line, block, String.raw`r(#*)"[\s\S]*?"\1`, any('"'), String.raw`'(?:\\[^'\n]+|[^'\\\n])'`].join(
    '|',
  ),
  go: [line, block, double, String.raw`'(?:\\[^'\n]+|[^'\\\n])'`, '`[^`]*`'].join('|'),
  java: [line, block, String.raw`"""[\s\S]*?"""`, double, single].join('|'),
  php: [line, block, hash, any("'"), any('"')].join('|'),
  ruby: [String.raw`^=begin[\s\S]*?^=end`, any("'"), any('"'), hash].join('|'),
  c: [line, block, double, single].join('|'),
  perl: [String.raw`^=\w[\s\S]*?^=cut[^\n]*`, any("'"), any('"'), String.raw`(?<!\$)${hash}`].join('|'),
  shell: [String.raw`'[^']*'`, any('"'), String.raw`(?<![$\w{])${hash}`].join('|'),
};

/** Same length and same lines: strings become `_`, comments spaces. */
export function mask(text: string, language: Language): string {
  return text.replace(new RegExp(patterns[language], 'gm'), (piece) =>
    piece.replace(/[^\n]/g, isComment(piece) ? ' ' : '_'),
  );
}

function isComment(piece: string): boolean {
  return /^(?:#|\/\/|\/\*|=\w)/.test(piece);
}

const closers: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/** Positions of the brackets that are open at `end`, outermost first; null if brackets do not match. */
export function openBrackets(masked: string, end: number): readonly number[] | null {
  return bracketReader(masked)(end);
}

/** `openBrackets` for several positions, in one pass over the text. Contract: positions only rise. */
export function bracketReader(masked: string): (end: number) => readonly number[] | null {
  const open: number[] = [];
  let at = 0;
  let isBroken = false;
  return (end) => {
    for (; at < end && !isBroken; at += 1) {
      const char = masked.charAt(at);
      if (char in closers) open.push(at);
      else if (char === ')' || char === ']' || char === '}') {
        const last = open.pop();
        isBroken = last === undefined || closers[masked.charAt(last)] !== char;
      }
    }
    return isBroken ? null : [...open];
  };
}

/** Position of the bracket that closes the one at `start`; -1 if there is none. */
export function closingBracket(masked: string, start: number): number {
  let depth = 0;
  for (let at = start; at < masked.length; at += 1) {
    const char = masked.charAt(at);
    if (char in closers) depth += 1;
    else if (char === ')' || char === ']' || char === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** Every bracket is closed, so that text at the end is at the top level. */
export function isClosed(masked: string): boolean {
  return openBrackets(masked, masked.length)?.length === 0;
}
