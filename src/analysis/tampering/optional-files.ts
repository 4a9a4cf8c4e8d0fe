// Finds files that a script or a command uses only if they exist. Pure.
import { wordsIn } from '#analysis/ecosystems/ecosystems.ts';

/** Names after `[ -f x ]` that the same text sources or starts, and files that are read if they exist. */
export function optionalFiles(text: string): string[] {
  const guarded = [...text.matchAll(/(?:\[\[?|\btest)\s+(?:!\s+)?-[efrsx]\s+["']?([^\s"'\]&|;]+)/g)].map(
    ([, name = '']) => name,
  );
  const used = guarded.filter((name) => usesOf(name).test(text));
  const forgiven = [
    ...text.matchAll(/(?:^|[;&|{(\s])(?:\.|source)\s+["']?([^\s"';|&]+)["']?[^\n;&|]*\|\|\s*(?:true|:)/gm),
  ];
  const read = [...text.matchAll(/--env-file-if-exists[= ]["']?([^\s"']+)/g)];
  const names = [...used, ...[...forgiven, ...read].map(([, name = '']) => name)];
  return [...new Set(names.map(inFolder))].filter((name) => /^[\w./-]+$/.test(name) && !name.startsWith('/'));
}

function usesOf(name: string): RegExp {
  const escaped = name.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  const starters = String.raw`\.|source|sh|bash|zsh|node|python[\d.]*|perl|ruby|exec|eval|include`;
  return new RegExp(
    String.raw`(?:^|[\s;&|{(])(?:${starters})\s+["']?${escaped}|(?:^|&&|\|\||;|\bthen|\bdo)\s*["']?${escaped}`,
    'm',
  );
}

/** `$DIR/x`, `$(dirname "$0")/x` and `./x` are all next to the script, or in its start folder. */
function inFolder(name: string): string {
  return name.replace(/^(?:\$\{?\w+[^}/]*\}?|\$\(.*\))\//, '').replace(/^\.\//, '');
}

/** Folders of the repository that a text puts on the PATH. */
export function programFolders(text: string): string[] {
  const values = [...text.matchAll(/(?<![\w$])PATH\s*[:?]?=\s*([^\s;&|]+)/g)].flatMap(([, value = '']) =>
    value.split(/["':]+/),
  );
  return [...new Set(values.map(inFolder))].filter((each) => /^[\w.-][\w./-]*$/.test(each));
}

/** Programs that checks consist of, sorted: pins name them in this order. */
export const checkPrograms = [
  ...'cat diff env find git grep sed test'.split(' '),
  ...wordsIn('programs', (each) => each.checking),
].toSorted();
