// Breaks code on purpose, everywhere at once, so that a test which measures it must fail. Crude, by text alone. Pure.
import { type Language, mask } from '#analysis/test-runners/mask.ts';

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
/** Names of modules must stay as they are: else nothing loads, and no test says anything. */
const loading = /\b(?:import|from|require|include|use|using|package|module|export \*)\b/;

/** The code broken in one or two ways, the one that surely still loads first; emptied where no other way is known. None where there is no code. */
export function breakCode(path: string, text: string): readonly string[] {
  const language = languages.find(([name]) => name.test(path))?.[1];
  if (language === undefined) return text.trim() === '' ? [] : [''];
  const masked = mask(text, language);
  const broken = [emptyFunctions(path, text, masked), mutateWords(text, masked)].filter(
    (made) => made !== text,
  );
  if (broken.length > 0) return broken;
  return masked.trim() === '' ? [] : [''];
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
  readonly statement: (start: string) => string;
}

const emptying: readonly Emptying[] = [
  { path: /\.rs$/, start: /\bfn\s+\w+[^{};]*\{/g, statement: () => ' panic!();' },
  { path: /\.go$/, start: /^func\b[^\n]*\{(?=\n)/gm, statement: (start) => ` return ${zerosInGo(start)};` },
  {
    path: /\.java$/,
    start: /\)\s*(?:throws\s[\w\s.,]+)?\{/g,
    statement: () => ' if (true) throw new RuntimeException();',
  },
];

/** Of the types that a function returns; named results are zero already. */
function zerosInGo(start: string): string {
  const [, list, single = ''] = /\)\s*(?:\(([^()]*)\)|([^\s(){}][^(){}]*))?\s*\{$/.exec(start) ?? [];
  const types = (list ?? single).split(',').map((type) => type.trim());
  const isNamed = list !== undefined && types.some((type) => / /.test(type));
  return isNamed || types[0] === '' ? '' : types.map((type) => `*new(${type})`).join(', ');
}

/**
 * Functions that return nothing: code that merely loads them still loads, and a test that calls them without a look at the result
 * still passes. Where no value fits any type, they panic.
 */
function emptyFunctions(path: string, text: string, masked: string): string {
  if (path.endsWith('.py')) return emptyInPython(text, masked);
  if (/\.[cm]?[jt]sx?$/.test(path)) return emptyInJavaScript(path, text, masked);
  const way = emptying.find((one) => one.path.test(path));
  return way === undefined ? text : insertAfter(text, masked.matchAll(way.start), way.statement);
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

const functionStart =
  /=>\s*(?:\{|(?=[^\s{]))|\bfunction\b[^{}]*\{|(?<=^|[;{}\s])(?!(?:if|for|while|switch|catch|with|function)\b)[\w$#]+\s*\([^(){}]*\)\s*(?::\s*[\w<>[\]| ]+)?\{/gm;

function emptyInJavaScript(path: string, text: string, masked: string): string {
  const nothing = /\.[cm]?tsx?$/.test(path) ? '(undefined as never)' : 'undefined';
  return insertAfter(text, masked.matchAll(functionStart), (match) =>
    match.endsWith('{') ? ` return ${nothing};` : `true ? ${nothing} : `,
  );
}

function emptyInPython(text: string, masked: string): string {
  const lines = text.split('\n');
  const codes = masked.split('\n');
  let isInHead = false;
  return lines
    .map((line, index) => {
      const code = codes[index] ?? '';
      isInHead ||= /^\s*(?:async\s+)?def\s/.test(code);
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
