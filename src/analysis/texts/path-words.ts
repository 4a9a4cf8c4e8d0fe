// Decides whether a text names a path. Pure.

/** By its path, the end of its path, or its own name. */
export function names(text: string, path: string): boolean {
  const words = text.split(/[\s;&|<>()`"'$={},:[\]]+/).map((word) => word.replace(/^(\.\.?\/)+|[.!?]$/g, ''));
  return isAmong(words, path);
}

/** From the root, or from the folder of the word. */
export function isAmong(words: readonly string[], path: string): boolean {
  return words.some((word) => word !== '' && (path === word || path.endsWith(`/${word}`)));
}

/** By its own name without the extension: "the contact page" names `contact.html`. */
export function namesStem(text: string, path: string): boolean {
  const stem = path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.\w+$/, '')
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/[^\w-]+/)
    .includes(stem);
}

/** Escapes a text for use in a pattern. */
export function escaped(name: string): string {
  return name.replace(/[$.*+?^(){}|[\]\\]/g, String.raw`\$&`);
}
