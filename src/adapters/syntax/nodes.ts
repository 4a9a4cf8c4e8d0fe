// Tables of node types are written as kind → types, with blanks between them.
import type { Node } from '@vscode/tree-sitter-wasm';

export function nodes(types: string): readonly string[] {
  return types.split(' ');
}

/** The kind of each type. */
export function byNode<Kind extends string>(types: {
  readonly [kind in Kind]?: string;
}): Readonly<Record<string, Kind>> {
  const entries = Object.entries<string | undefined>(types) as [Kind, string][];
  return Object.fromEntries(entries.flatMap(([kind, words]) => nodes(words).map((type) => [type, kind])));
}

export function present(found: readonly (Node | null)[]): Node[] {
  return found.filter((node) => node !== null);
}
