// Finds the files that a file names, as paths without endings: `./x` and `../x` from its own folder, `a/b`
// from anywhere. Line by line, without the parser: it runs on every file of a repository.
import type { Grammar } from './grammar-names.ts';

export interface Importing {
  readonly imports: readonly string[];
  /** The code without its imports. */
  readonly rest: string;
}

// More than a person reads; a list of thousands is generated.
const importsMax = 200;

/** Contract: `code` has no comments, as far as they were recognised; it need not parse. */
export function importsIn(code: string, grammar: Grammar): Importing {
  const rule = rules[grammar];
  if (rule === undefined) return { imports: [], rest: code };
  const found = new Set<string>();
  const rest = code.replaceAll(rule.line, (line: string, ...groups: unknown[]) => {
    const [one, other] = groups.map((group) => (typeof group === 'string' ? group : ''));
    for (const path of rule.named(line.trim(), one || other || '')) {
      if (path !== '' && found.size < importsMax) found.add(path);
    }
    return '';
  });
  return { imports: [...found], rest };
}

interface Rule {
  /** A statement that names another file. Its length is bounded, for linear time on unfinished statements. */
  readonly line: RegExp;
  /** The named files; `name` is the first non-empty group of the expression. */
  named(line: string, name: string): readonly string[];
}

const script: Rule = {
  line: /^[ \t]*(?:import|export)\b(?:[^;'"`=()]{0,1000}?\bfrom)?\s*['"]([^'"\n]+)['"]|\brequire\(\s*['"]([^'"\n]+)['"]\s*\)/gm,
  named: (_, name) => local(name),
};

const rules: { readonly [grammar in Grammar]?: Rule } = {
  typescript: script,
  tsx: script,
  javascript: script,
  python: {
    line: /^[ \t]*(?:from[ \t]+[.\w]+[ \t]+import[ \t]*(?:\([^()]*\)|(?:[^\n\\]|\\\r?\n)*)|import[ \t]+[^\n]+)/gm,
    named: pythons,
  },
  go: { line: /^import\s*(?:\([^()]*\)|[^\n]+)/gm, named: quoted },
  rust: {
    line: /^[ \t]*(?:pub(?:\([^)]*\))?\s+)?(?:mod\s+\w+\s*;|use\s[^;]{0,1000};)/gm,
    named: rusts,
  },
  java: { line: /^[ \t]*import\s[^;]{0,500};/gm, named: (line) => [dotted(line.replace(/\.\*\s*;$/, ''))] },
  'c-sharp': { line: /^[ \t]*(?:global\s+)?using\s[^;({]{0,500};/gm, named: (line) => [dotted(line)] },
  cpp: {
    line: /^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]/gm,
    named: (_, name) => [name.replace(/\.\w+$/, '')],
  },
  php: {
    line: /^[ \t]*use\s[^;({]{0,500};/gm,
    named: (line) => [line.slice(3).replaceAll(/[\s;]/g, '').replaceAll('\\', '/')],
  },
  ruby: { line: /^[ \t]*require(?:_relative)?[\s(]+['"]([^'"\n]+)['"]/gm, named: required },
};

/** An external package is not a file here; `#x`, `@/x` and `~/x` are, under an alias. */
function local(specifier: string): readonly string[] {
  if (/^\.\.?(?:\/|$)/.test(specifier)) return [withoutEnding(specifier)];
  const [, rest = ''] = /^(?:#|@\/|~\/?|\$\w*\/)\/?(.+)$/.exec(specifier) ?? [];
  return rest === '' ? [] : [withoutEnding(rest)];
}

function withoutEnding(path: string): string {
  return path.replace(/\.(?:[cm]?[jt]sx?|json|vue|svelte)$/, '');
}

function pythons(text: string): readonly string[] {
  const [, from, list = ''] = /^from\s+([.\w]+)\s+import\s+(.*)$/s.exec(text) ?? [];
  if (from === undefined) {
    return text
      .replace(/^import\s+/, '')
      .split(',')
      .map((part) => dotted(part.trim().split(/\s/)[0] ?? ''));
  }
  const dots = /^\.*/.exec(from)?.[0].length ?? 0;
  const up = dots === 0 ? '' : dots === 1 ? './' : '../'.repeat(dots - 1);
  const base = up + dotted(from.slice(dots));
  const names = list.match(/\b[a-z]\w*(?=\s*(?:,|\)|$|\bas\b))/g) ?? [];
  return [base, ...names.slice(0, 20).map((name) => (base.endsWith('/') ? base + name : `${base}/${name}`))];
}

function rusts(line: string): readonly string[] {
  const [, module] = /\bmod\s+(\w+)\s*;$/.exec(line) ?? [];
  if (module !== undefined) return [`./${module}`];
  const [, path = ''] = /\buse\s+([\w:]+)/.exec(line) ?? [];
  const parts = path
    .split('::')
    .filter((part) => /^[a-z_]\w*$/.test(part) && !['crate', 'self', 'super', 'std'].includes(part));
  return parts.length === 0 ? [] : [parts.join('/')];
}

function dotted(text: string): string {
  return text
    .replace(/^(?:import|using|global\s+using)\s+/, '')
    .replace(/^static\s+/, '')
    .replaceAll(/[\s;]/g, '')
    .replaceAll('.', '/');
}

function quoted(text: string): readonly string[] {
  return [...text.matchAll(/["`]([^"`\n]+)["`]/g)].map(([, path = '']) => `${path}/`);
}

function required(line: string, path: string): readonly string[] {
  const isRelative = line.startsWith('require_relative');
  return [isRelative && !path.startsWith('.') ? `./${path}` : path];
}
