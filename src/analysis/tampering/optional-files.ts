// Files that a script or a command takes only if they are there. Pure.
import { wordsIn } from '#analysis/ecosystems/ecosystems.ts';

/** Names behind `[ -f x ]` that the same text then sources or starts, and what is read if it exists. */
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

/** `$DIR/x`, `$(dirname "$0")/x` and `./x` are all beside the script, or where it is started. */
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

/** Programs that checks are made of, sorted: pins name them in this order. */
export const checkPrograms = [
  ...'cat diff env find git grep sed test'.split(' '),
  ...wordsIn('programs', (each) => each.checking),
].toSorted();
