// Detects modules that hold only constants, in JavaScript, TypeScript and Python. Pure.
import { mask } from '#analysis/texts/mask.ts';

/** An expression without inputs is a constant, and so is a function without parameters that returns one. */
export function holdsOnlyConstants(path: string, text: string): boolean {
  const language = languages.find(({ files }) => files.test(path));
  if (language === undefined) return false;
  const masked = mask(text, language.name);
  const code = masked.replaceAll(language.loading, '');
  if (code.trim() === '' || language.opaque.test(text)) return false;
  const own = new Set([...code.matchAll(language.declared)].map(([, name]) => name));
  const rest = language.ignored.reduce((left, pattern) => left.replaceAll(pattern, ' '), code);
  const words = rest.match(/(?<![\w$.])[\w$]*[A-Za-z$][\w$]*/g) ?? [];
  return words.every((word) => own.has(word) || language.words.has(word) || /^\d/.test(word));
}

interface Language {
  readonly files: RegExp;
  readonly name: 'javascript' | 'python';
  /** Strings with code in them. */
  readonly opaque: RegExp;
  readonly loading: RegExp;
  readonly declared: RegExp;
  /** Types, keys, and members of names that are already checked. */
  readonly ignored: readonly RegExp[];
  readonly words: ReadonlySet<string>;
}

const languages: readonly Language[] = [
  {
    files: /\.[cm]?[jt]sx?$/,
    name: 'javascript',
    opaque: /\$\{/,
    loading: /^\s*(?:import\b[^;\n]*|export\s+type\b[^;\n]*|export\s*(?:\*[^;\n]*|\{[^}]*\}[^;\n]*));?$/gm,
    declared: /\b(?:const|function)\s+([\w$]+)/g,
    ignored: [/(?<=\bconst\s+[\w$]+)\s*:[^=;\n]+(?==)/g, /[\w$]+\s*:|\.\s*[\w$]+/g],
    words: new Set(
      'export default const function async return true false null undefined as module exports Object'.split(
        ' ',
      ),
    ),
  },
  {
    files: /\.py$/,
    name: 'python',
    opaque: /\bf['"]/i,
    loading: /^(?:from|import)\s[^\n]*$/gm,
    declared: /^(?:def\s+)?(\w+)\s*(?::[^=\n]+|\(\s*\)[^=\n]*)?(?==(?!=)|:\s*$)/gm,
    ignored: [/(?<=^\w+)\s*:[^=\n]+(?==)|->[^:\n]+|\.\s*\w+|\b[rbu]{1,2}(?=__)/gim],
    words: new Set('def return True False None pass'.split(' ')),
  },
];
