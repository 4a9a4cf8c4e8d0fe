// Builds tables of node types from kind → types, separated by blanks.
import type { Node } from '@vscode/tree-sitter-wasm';

export function nodes(types: string): readonly string[] {
  return types.split(' ');
}

export function byNode<Kind extends string>(types: {
  readonly [kind in Kind]?: string;
}): Readonly<Record<string, Kind>> {
  const entries = Object.entries<string | undefined>(types) as [Kind, string][];
  return Object.fromEntries(entries.flatMap(([kind, words]) => nodes(words).map((type) => [type, kind])));
}

export function present(found: readonly (Node | null)[]): Node[] {
  return found.filter((node) => node !== null);
}
