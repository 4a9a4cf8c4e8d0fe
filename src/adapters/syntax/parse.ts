// Parses one file into plain data. Reports unreadable files and never throws: agents write these files.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as TreeSitter from '@vscode/tree-sitter-wasm';
import type { Language, Node, Parser, Tree } from '@vscode/tree-sitter-wasm';
import { type Grammar, grammarOf } from '#analysis/repo-map/grammar-names.ts';

export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** `unread` has the reason as the end of a sentence: "is too large (2000000 characters)". */
export type Reading<T> =
  | { readonly kind: 'read'; readonly found: T; readonly hasErrors: boolean }
  | { readonly kind: 'unread'; readonly why: string };

/** Handwritten files are far smaller; larger ones are generated, and parsing them takes seconds. */
const textMax = 1_000_000;
const parseMs = 5_000;

export async function parse<T>(
  { path, text }: SourceText,
  read: (root: Node, grammar: Grammar) => T,
): Promise<Reading<T>> {
  const grammar = grammarOf(path);
  if (grammar === null) return { kind: 'unread', why: 'is in a language that has no grammar here' };
  if (text.length > textMax) return { kind: 'unread', why: `is too large (${text.length} characters)` };
  const parser = await openParser(grammar);
  try {
    const tree = parseInTime(parser, text);
    if (typeof tree === 'string') return { kind: 'unread', why: tree };
    try {
      return { kind: 'read', found: read(tree.rootNode, grammar), hasErrors: tree.rootNode.hasError };
    } finally {
      tree.delete();
    }
  } finally {
    parser.delete();
  }
}

function parseInTime(parser: Parser, text: string): Tree | string {
  const untilMs = performance.now() + parseMs;
  try {
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > untilMs });
    return tree ?? 'takes too long to parse';
  } catch (error) {
    return `could not be parsed (${error instanceof Error ? error.message : 'no reason given'})`;
  }
}

type Runtime = typeof TreeSitter;

const packageName = '@vscode/tree-sitter-wasm';

let runtime: Promise<Runtime> | null = null;
const languages = new Map<Grammar, Promise<Language>>();

/** A separate parser for each caller, because a parser that failed half-way cannot be reused. */
async function openParser(grammar: Grammar): Promise<Parser> {
  runtime ??= loadRuntime();
  const { Parser } = await runtime;
  const parser = new Parser();
  parser.setLanguage(await language(grammar));
  return parser;
}

async function loadRuntime(): Promise<Runtime> {
  // The module is UMD: everything is in the default export.
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
