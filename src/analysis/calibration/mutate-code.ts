// Breaks code everywhere at once, so that a test that measures it must fail. Crude, by text. Pure.
import { type Language, mask } from '#analysis/texts/mask.ts';

const languages: readonly (readonly [RegExp, Language])[] = [
  [/\.[cm]?[jt]sx?$/, 'javascript'],
  [/\.py$/, 'python'],
  [/\.rs$/, 'rust'],
  [/\.go$/, 'go'],
  [/\.(java|kt|scala|cs|swift)$/, 'java'],
  [/\.php$/, 'php'],
  [/\.rb$/, 'ruby'],
  [/\.(c|cc|cpp|h|hpp)$/, 'c'],
  [/\.(pl|pm)$/, 'perl'],
];

const opposites: { readonly [word: string]: string } = {
  true: 'false',
  false: 'true',
  True: 'False',
  False: 'True',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '&&': '||',
  '||': '&&',
  ' + ': ' - ',
  ' - ': ' + ',
  ' * ': ' + ',
  ' / ': ' * ',
};

const word = /(?<![\w.])\d+(?![\w.])|\b(?:true|false|True|False)\b|[!=]==?|&&|\|\|| [-+*/] |_{2,}/g;
/** Names of modules must not change: otherwise nothing loads, and no test reports anything. */
const loading = /\b(?:import|from|require|include|use|using|package|module|export \*)\b/;

/** Code that only names other modules; without it, the broken code in them would not be tested. */
const wiring = new RegExp(
  [
    String.raw`\b(?:import|export)\b(?!\s+(?:default|const|let|var|class|function|async|abstract|enum)\b)[\w$*\s,]*(?:\{[^}]*\}\s*)?(?:from\s*)?_*;?`,
    String.raw`(?:pub(?:\([^)]*\))?\s+)?\b(?:mod|use|extern)\s[^;{}]*(?:\{[^;]*\})?;`,
    String.raw`^from\s[^\n(]*(?:\([^)]*\))?$`,
  ].join('|'),
  'gm',
);

/** Null if the strings and comments of the language are unknown. */
export function languageOf(path: string): Language | null {
  return languages.find(([name]) => name.test(path))?.[1] ?? null;
}

/** One or two broken versions, surest to load first, or the empty text; none if it only names modules. */
export function breakCode(path: string, text: string): readonly string[] {
  const language = languageOf(path);
  if (language === null) return text.trim() === '' ? [] : [''];
  const masked = mask(text, language);
  const broken = [emptyFunctions(path, text, masked), mutateWords(text, masked)].filter(
    (made) => made !== text,
  );
  if (broken.length > 0) return broken;
  return masked.replaceAll(wiring, '').trim() === '' ? [] : [''];
}

const ofRust = /\bfn\s+\w+[^{};]*\{/g;
const withDefault =
  /^(?:[iu](?:8|16|32|64|128|size)|f32|f64|bool|char|String|&(?:'\w+ )?str|(?:\w+::)*(?:Vec|Option|(?:Hash|BTree)(?:Map|Set))<.*>)$/s;

/**
 * Rust functions that return a default value if their type surely has one, and panic otherwise: a test that
 * ignores the result still passes. Other languages stay unchanged.
 */
export function returnDefaults(path: string, text: string): string {
  if (!path.endsWith('.rs')) return text;
  return insertAfter(text, mask(text, 'rust').matchAll(ofRust), (head) => {
    const type = /->\s*([^{]+?)(?:\s+where\b[^{]*)?\s*\{$/.exec(head)?.[1];
    if (type === undefined) return ' return;';
    return withDefault.test(type) ? ' return Default::default();' : ' panic!();';
  });
}

function mutateWords(text: string, masked: string): string {
  const codes = masked.split('\n');
  const lines = text.split('\n').map((line, index) => {
    const code = codes[index] ?? '';
    return loading.test(code) || code.length !== line.length ? line : mutateLine(line, code);
  });
  return lines.join('\n');
}

function mutateLine(line: string, masked: string): string {
  let made = '';
  let last = 0;
  for (const { 0: found, index } of masked.matchAll(word)) {
    const piece = line.slice(index, index + found.length);
    made += line.slice(last, index) + mutatePiece(piece, found);
    last = index + found.length;
  }
  return made + line.slice(last);
}

function mutatePiece(piece: string, found: string): string {
  if (/^\d+$/.test(found)) return String(Number(found) + 1);
  if (!found.startsWith('__')) return opposites[found] ?? piece;
  // A whole string on one line; a name of underscores or a part of a longer string stays.
  const isString = /^(['"`])[^'"`]*\1$/.test(piece);
  return isString ? `${piece.slice(0, -1)}q${piece.slice(-1)}` : piece;
}

interface Emptying {
  readonly path: RegExp;
  readonly start: RegExp;
  /** Ends the function that begins there, and compiles. */
  readonly statement: (start: string, path: string) => string;
}

const functionStart =
  /=>\s*(?:\{|(?=[^\s{]))|\bfunction\b[^{}]*\{|(?<=^|[;{}\s])(?!(?:if|for|while|switch|catch|with|function)\b)[\w$#]+\s*\([^(){}]*\)\s*(?::\s*[\w<>[\]| ]+)?\{/gm;

const emptying: readonly Emptying[] = [
  { path: /\.[cm]?[jt]sx?$/, start: functionStart, statement: nothingInJavaScript },
  { path: /\.rs$/, start: ofRust, statement: () => ' panic!();' },
  { path: /\.go$/, start: /^func\b[^\n]*\{(?=\n)/gm, statement: (start) => ` return ${zerosInGo(start)};` },
  {
    path: /\.java$/,
    start: /\)\s*(?:throws\s[\w\s.,]+)?\{/g,
    statement: () => ' if (true) throw new RuntimeException();',
  },
];

/** Zero values for the types that a function returns; named results are zero already. */
function zerosInGo(start: string): string {
  const [, list, single = ''] = /\)\s*(?:\(([^()]*)\)|([^\s(){}][^(){}]*))?\s*\{$/.exec(start) ?? [];
  const types = (list ?? single).split(',').map((type) => type.trim());
  const isNamed = list !== undefined && types.some((type) => / /.test(type));
  return isNamed || types[0] === '' ? '' : types.map((type) => `*new(${type})`).join(', ');
}

/**
 * Functions that return nothing: code that only loads them still loads, and a test that ignores the result
 * still passes. If no value fits any type, they panic.
 */
function emptyFunctions(path: string, text: string, masked: string, isTarget: IsTarget = () => true): string {
  if (path.endsWith('.py')) return emptyInPython(text, masked, isTarget);
  const way = emptying.find((one) => one.path.test(path));
  if (way === undefined) return text;
  const starts = [...masked.matchAll(way.start)].filter(({ 0: match, index }) =>
    isTarget(index, index + match.length),
  );
  return insertAfter(text, starts, (match) => way.statement(match, path));
}

/** By the start of a function, and the start of its body. */
export type IsTarget = (start: number, body: number) => boolean;

/** Like `breakCode`, for some functions alone. Returns the same text if there are none. */
export function emptySome(path: string, text: string, isTarget: IsTarget): string {
  const language = languageOf(path);
  return language === null ? text : emptyFunctions(path, text, mask(text, language), isTarget);
}

function insertAfter(
  text: string,
  matches: Iterable<RegExpExecArray>,
  insertion: (match: string) => string,
): string {
  let made = '';
  let last = 0;
  for (const { 0: match, index } of matches) {
    made += text.slice(last, index + match.length) + insertion(match);
    last = index + match.length;
  }
  return made + text.slice(last);
}

function nothingInJavaScript(start: string, path: string): string {
  const nothing = /\.[cm]?tsx?$/.test(path) ? '(undefined as never)' : 'undefined';
  return start.endsWith('{') ? ` return ${nothing};` : `true ? ${nothing} : `;
}

function emptyInPython(text: string, masked: string, isTarget: IsTarget): string {
  const lines = text.split('\n');
  const codes = masked.split('\n');
  let isInHead = false;
  let end = -1;
  return lines
    .map((line, index) => {
      const code = codes[index] ?? '';
      const start = end + 1;
      end = start + line.length;
      isInHead ||= /^\s*(?:async\s+)?def\s/.test(code) && isTarget(start, end);
      if (!isInHead) return line;
      const head = /^\s*(?:async\s+)?def\s.*\)[^:]*:(?=\s*\S)/.exec(code)?.[0];
      const isEnd = head !== undefined || /:\s*$/.test(code);
      isInHead = !isEnd;
      if (head !== undefined)
        return `${line.slice(0, head.length)} return; ${line.slice(head.length).trim()}`;
      const body = lines.slice(index + 1).find((next) => next.trim() !== '') ?? '';
      return isEnd ? `${line}\n${/^\s*/.exec(body)?.[0] ?? ''}return` : line;
    })
    .join('\n');
}
