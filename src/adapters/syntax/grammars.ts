// Grammars are WebAssembly files beside the parser's own module; each is read once, when first needed.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as TreeSitter from '@vscode/tree-sitter-wasm';
import type { Language, Parser } from '@vscode/tree-sitter-wasm';

type Runtime = typeof TreeSitter;

export type Grammar = keyof typeof extensions;

const packageName = '@vscode/tree-sitter-wasm';

const extensions = {
  typescript: ['ts', 'mts', 'cts'],
  tsx: ['tsx'],
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  python: ['py', 'pyi'],
  go: ['go'],
  rust: ['rs'],
  java: ['java'],
  'c-sharp': ['cs'],
  // C reads well enough by the grammar of its bigger sister.
  cpp: ['cpp', 'cc', 'cxx', 'hpp', 'hh', 'hxx', 'h', 'c'],
  php: ['php'],
  ruby: ['rb', 'rake'],
  bash: ['sh', 'bash'],
} as const;

const grammarOfExtension = new Map(
  Object.entries(extensions).flatMap(([grammar, names]) =>
    names.map((name) => [name as string, grammar as Grammar] as const),
  ),
);

/** Null for a file that none of our grammars reads. */
export function grammarOf(path: string): Grammar | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const dot = name.lastIndexOf('.');
  return dot < 1 ? null : (grammarOfExtension.get(name.slice(dot + 1).toLowerCase()) ?? null);
}

let runtime: Promise<Runtime> | null = null;
const languages = new Map<Grammar, Promise<Language>>();

/** A parser of its own for each caller, because one that failed half-way is of no use to the next. */
export async function openParser(grammar: Grammar): Promise<Parser> {
  runtime ??= loadRuntime();
  const { Parser } = await runtime;
  const parser = new Parser();
  parser.setLanguage(await language(grammar));
  return parser;
}

async function loadRuntime(): Promise<Runtime> {
  // The module is one function's result (UMD): everything is in the default export.
  const module = (await import('@vscode/tree-sitter-wasm')) as unknown as { readonly default: Runtime };
  await module.default.Parser.init();
  return module.default;
}

async function language(grammar: Grammar): Promise<Language> {
  const known = languages.get(grammar);
  if (known !== undefined) return known;
  const loading = loadLanguage(grammar);
  languages.set(grammar, loading);
  return loading;
}

async function loadLanguage(grammar: Grammar): Promise<Language> {
  runtime ??= loadRuntime();
  const { Language: Loader } = await runtime;
  const folder = dirname(createRequire(import.meta.url).resolve(packageName));
  return Loader.load(join(folder, `tree-sitter-${grammar}.wasm`));
}
