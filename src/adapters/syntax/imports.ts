// Which other files a file names, as paths without endings: `./x` and `../x` from its own folder, `a/b` from anywhere.
import type { Node } from '@vscode/tree-sitter-wasm';
import type { Grammar } from './grammars.ts';

// More than anybody reads; a list of thousands is generated.
const importsMax = 200;

export function importsIn(node: Node, grammar: Grammar, into: Set<string>): void {
  if (into.size >= importsMax) return;
  for (const path of named(node, grammar)) if (path !== '') into.add(path);
}

function named(node: Node, grammar: Grammar): readonly string[] {
  switch (grammar) {
    case 'typescript':
    case 'tsx':
    case 'javascript':
      return scripts(node);
    case 'python':
      return node.type.startsWith('import_') ? pythons(node.text) : [];
    case 'go':
      return node.type === 'import_declaration' ? quoted(node.text) : [];
    case 'rust':
      return rusts(node);
    case 'java':
      return node.type === 'import_declaration' ? [dotted(node.text.replace(/\.\*\s*;?$/, ''))] : [];
    case 'c-sharp':
      return node.type === 'using_directive' ? [dotted(node.text)] : [];
    case 'cpp':
      return node.type === 'preproc_include' ? included(node.text) : [];
    case 'php':
      return node.type === 'namespace_use_declaration'
        ? [node.text.slice(3).replaceAll(/[\s;]/g, '').replaceAll('\\', '/')]
        : [];
    case 'ruby':
      return node.type === 'call' ? required(node.text) : [];
    default:
      return [];
  }
}

function scripts(node: Node): readonly string[] {
  if (node.type === 'import_statement' || node.type === 'export_statement') {
    const source = node.childForFieldName('source');
    return source === null ? [] : local(source.text.slice(1, -1));
  }
  if (node.type !== 'lexical_declaration' && node.type !== 'variable_declaration') return [];
  const [, path = ''] = /\brequire\(\s*['"]([^'"\n]+)['"]/.exec(node.text.slice(0, 400)) ?? [];
  return local(path);
}

/** A package of somebody else is no file here; `#x`, `@/x` and `~/x` are, under a name. */
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

function rusts(node: Node): readonly string[] {
  if (node.type === 'mod_item') {
    return node.childForFieldName('body') === null ? [`./${node.childForFieldName('name')?.text ?? ''}`] : [];
  }
  if (node.type !== 'use_declaration') return [];
  const [, path = ''] = /\buse\s+([\w:]+)/.exec(node.text) ?? [];
  const parts = path
    .split('::')
    .filter((part) => /^[a-z_]\w*$/.test(part) && !['crate', 'self', 'super', 'std'].includes(part));
  return parts.length === 0 ? [] : [parts.join('/')];
}

function dotted(text: string): string {
  return text
    .replace(/^(?:import|using|global using)\s+/, '')
    .replace(/^static\s+/, '')
    .replaceAll(/[\s;]/g, '')
    .replaceAll('.', '/');
}

function quoted(text: string): readonly string[] {
  return [...text.matchAll(/["`]([^"`\n]+)["`]/g)].map(([, path = '']) => `${path}/`);
}

function included(text: string): readonly string[] {
  const [, path = ''] = /[<"]([^>"\n]+)[>"]/.exec(text) ?? [];
  return [path.replace(/\.\w+$/, '')];
}

function required(text: string): readonly string[] {
  const [, relative = '', path = ''] = /^require(_relative)?[\s(]+['"]([^'"\n]+)['"]/.exec(text) ?? [];
  if (path === '') return [];
  return [relative === '' ? path : path.startsWith('.') ? path : `./${path}`];
}
