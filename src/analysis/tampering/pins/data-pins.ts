// Finds the data that a pinned test names, and whether it belongs to the product. Pure.
import { escaped } from '#analysis/texts/path-words.ts';
import { posix } from 'node:path';
import { isTestData } from './named-work.ts';
import { resolveIn, wordsOf } from './pin-rules.ts';

/** The `data` that a test names from its folder or a parent: alone, by a folder, or joined of parts. */
export function dataOfTest(test: string, text: string, data: readonly string[]): string[] {
  if (data.length === 0) return [];
  const words = [...wordsOf(text), ...joinedParts(text)].map((word) => word.replace(/^\/+/, ''));
  const folders = foldersAbove(test);
  const named = new Set(words.flatMap((word) => folders.map((folder) => resolveIn(folder, word))));
  const isNamed = (folder: string): boolean => named.has(folder) && isTestData(`${folder}/x`);
  return data.filter((path) => named.has(path) || foldersAbove(path).some(isNamed));
}

/** `join(__dirname, 'fixtures', 'sum.json')`, `HERE / "fixtures" / "sum.json"`. */
function joinedParts(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const parts = [...line.matchAll(/(["'`])([\w. /@-]{1,200})\1/g)].map(([, , part = '']) => part);
    return parts
      .flatMap((_, at) => (at === 0 ? [] : [parts.slice(at - 1, at + 1), parts.slice(0, at + 1)]))
      .map((some) => posix.join(...some));
  });
}

function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? [''] : [folder, ...foldersAbove(folder)];
}

/** Whether a text names the file, or a folder that holds it. */
export function isNamedIn(texts: readonly string[], path: string): boolean {
  const words = texts.flatMap((text) => wordsOf(text)).map((word) => word.replace(/[.!?/]+$/, ''));
  return words.some(
    (word) =>
      /[./]/.test(word) && (path === word || path.endsWith(`/${word}`) || path.startsWith(`${word}/`)),
  );
}

const plain = /\/[^/]+\.(jsonl?|ndjson|[ct]sv|txt|xml|ya?ml|dat|bin|in|out)$/i;
const ofProduct =
  /(^|\/)(\.[^/]*|src|lib|app|pkg|docs?|public|static|assets|config|content|locales?|i18n|lang|schemas?|migrations|templates|examples?)\//i;

/** Data that could belong to the product or to the tests: the file that names it decides. */
export function isPlainData(path: string): boolean {
  return plain.test(path) && !ofProduct.test(path);
}

/** Whether the product names the file or its folder; without any code, the data is the product. */
export function isNamedByProduct(path: string, product: readonly string[]): boolean {
  const folder = escaped(posix.basename(posix.dirname(path)));
  const inFolder = new RegExp(`[\\s("'\`/]${folder}["'\`/]`);
  const isNaming = (text: string): boolean => text.includes(posix.basename(path)) || inFolder.test(text);
  return product.length === 0 || product.some(isNaming);
}
