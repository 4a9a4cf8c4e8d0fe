// Decides how a test uses a file: it runs it, or only reads its text. By words around the file's name. Pure.
import { mask } from '#analysis/texts/mask.ts';
import type { SourceText } from '#analysis/test-runners/test-runner.ts';
import { languageOf } from './mutate-code.ts';
import { escaped, names } from '#analysis/texts/path-words.ts';

/** `unknown`: the file is named, but the words around do not say for what. Null: it is not named. */
export type FileUse = 'runs' | 'reads' | 'unknown' | null;

export function useOf(test: SourceText, path: string): FileUse {
  const language = languageOf(test.path);
  if (language === null) return useInShell(test.text, path);
  const masked = mask(test.text, language);
  const code = blankComments(test.text, masked);
  if (loadsModule(code, path)) return 'runs';
  const uses = [...code.matchAll(literal)].flatMap(({ 0: quoted, index }) =>
    names(wordsOf(quoted), path) && !isTitle(masked, index) ? [useAt({ code, masked }, index, 3)] : [],
  );
  if (uses.includes('runs')) return 'runs';
  if (uses.includes('reads')) return 'reads';
  if (uses.length === 0) return null;
  return isNeverLoaded(path) ? 'reads' : 'unknown';
}

/** By an import or an include, with or without its suffix. */
export function loadsModule(text: string, path: string): boolean {
  const stem = escaped(stemOf(path));
  const asString = String.raw`(?:\bfrom|\bimport|\brequire(?:_relative|_once)?|\binclude(?:_once)?)\s*\(?\s*['"\`][^'"\`\n]*(?<![\w-])${stem}(?:\.\w+)?['"\`]`;
  const asName = String.raw`^\s*(?:from|import)\s(?:[^'"\n]*|[^'"\n(]*\([^)]*)(?<![\w-])${stem}(?![\w-])`;
  return new RegExp(asString).test(text) || (path.endsWith('.py') && new RegExp(asName, 'm').test(text));
}

/** The name by which other files load it; that of its folder for `index.js` and the like. */
export function stemOf(path: string): string {
  const [name = '', folder = ''] = path.split('/').toReversed();
  const stem = name.replace(/\.\w+$/, '');
  return /^(index|__init__|mod)$/.test(stem) && folder !== '' ? folder : stem;
}

const calleeMax = 100;
const literal = /(['"`])(?:\\.|(?!\1)[^\\\n])*\1/g;

/** `${root}/done.sql` and `'/../done.sql'` name `done.sql`. */
function wordsOf(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replaceAll(/\$?\{[^}]*\}\/?/g, ' ')
    .replace(/^\s*\/+/, '');
}

/** The name of a test may name a file that it does not touch. */
function isTitle(masked: string, at: number): boolean {
  return /\b(?:test|it|describe|context|suite|specify)(?:\.\w+)*\s*\(\s*$/.test(
    masked.slice(Math.max(0, at - calleeMax), at),
  );
}

function blankComments(text: string, masked: string): string {
  return text.replaceAll(/\S/g, (char, at: number) => (masked.charAt(at) === ' ' ? ' ' : char));
}

/** No test runner loads such a file: a test can only read its text. */
function isNeverLoaded(path: string): boolean {
  return /\.(sql|proto|graphql|tf)$/i.test(path);
}

const starting =
  /^(spawn|exec|fork|run|popen|check_(output|call)|call$|system|command|worker|import|require|import_module|launch|source|\$$)/i;
const reading =
  /^(read|exists|access|l?stat|open|slurp|is_?file|getsize|glob|include_(str|bytes)|file_get_contents|cat$|size$|file$)/i;
const building = /^(join|resolve|url|fileurltopath|pathtofileurl|path|normalize|string|str|abspath|of)$/i;

interface Code {
  readonly code: string;
  readonly masked: string;
}

/** The innermost call around a name decides; variables are followed, at most `depth` times. */
function useAt({ code, masked }: Code, at: number, depth: number): FileUse {
  const lineStart = code.lastIndexOf('\n', at) + 1;
  for (const { callee, end } of callsAround(masked, at)) {
    const after = /^\s*\.\s*(\w+)/.exec(masked.slice(end + 1))?.[1] ?? '';
    if (starting.test(callee) || starting.test(after)) return 'runs';
    if (reading.test(callee) || reading.test(after)) return 'reads';
    if (callee !== '' && !building.test(callee)) return 'unknown';
  }
  const variable = /^\s*(?:(?:export )?(?:const|let|var|val|final)\s+)?(\w+)\s*(?::[^=\n]+)?=(?!=)/.exec(
    masked.slice(lineStart),
  )?.[1];
  if (variable === undefined || depth === 0) return 'unknown';
  const uses = [...masked.matchAll(new RegExp(`(?<![\\w.])${variable}\\b`, 'g'))]
    .filter(({ index }) => index > at)
    .map(({ index }) => useAt({ code, masked }, index, depth - 1));
  return uses.find((use) => use === 'runs') ?? uses.find((use) => use === 'reads') ?? 'unknown';
}

/** Innermost first, up to the next block; `callee` is empty for brackets that only group. */
function* callsAround(masked: string, at: number): Generator<{ callee: string; end: number }> {
  let depth = 0;
  let from = at;
  for (let place = at - 1; place >= 0; place -= 1) {
    const char = masked.charAt(place);
    if (char === ')' || char === ']' || char === '}') depth += 1;
    else if (char === '(' || char === '[' || char === '{') {
      if (depth > 0) depth -= 1;
      else if (char === '{') return;
      else {
        const end = closing(masked, from);
        from = end + 1;
        const before = masked.slice(Math.max(0, place - calleeMax), place);
        yield { callee: char === '[' ? '' : (/([\w$]+)(?:::new)?!?\s*$/.exec(before)?.[1] ?? ''), end };
      }
    }
  }
}

/** The next bracket that closes more than was opened since `at`. */
function closing(masked: string, at: number): number {
  let depth = 0;
  for (let place = at; place < masked.length; place += 1) {
    const char = masked.charAt(place);
    if (char === '(' || char === '[') depth += 1;
    else if (char === ')' || char === ']') depth -= 1;
    if (depth < 0) return place;
  }
  return masked.length;
}

const shellReading = /^\s*!?\s*(?:\[\[?|test|cat|e?grep|head|tail|wc|diff|cmp|ls|stat|awk|sed)\s/;

/** A script names a file without quotes; a command that does not read the file runs it. */
function useInShell(text: string, path: string): FileUse {
  const commands = text
    .replaceAll(/(^|\s)#[^\n]*/g, '$1')
    .replaceAll(/[^\s"']*\.\.\/|\$\{?\w+\}?\//g, '')
    .split(/[\n;|&]+|\$\(|\b(?:if|then|while|do|run)\b/)
    .filter((command) => names(command, path));
  if (commands.length === 0) return null;
  return commands.every((command) => shellReading.test(command)) ? 'reads' : 'runs';
}
