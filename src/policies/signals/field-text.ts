// Parses the values of a report's fields: prose, a known word, and file names, without their decoration.
import { isFenceLine } from './marker-reader.ts';
import { plainText, withoutNul } from './plain-text.ts';

/** The limit of a question to a person, because the message of needs_input becomes one. */
export const proseLengthMax = 4000;
export const filesMax = 200;
export const fileLengthMax = 500;

/** Agents write a text that could be mistaken for fields as a JSON string, so one is decoded. */
export function proseIn(text: string): string {
  const trimmed = withoutLastFence(text).trim();
  const prose = jsonString(trimmed) ?? trimmed;
  return withoutNul(plainText(prose)).trim().slice(0, proseLengthMax).trimEnd();
}

/** The fence that closes a code block around the fields is not part of the last value. */
function withoutLastFence(text: string): string {
  const lines = text.trimEnd().split('\n');
  const fences = lines.filter(isFenceLine).length;
  return fences % 2 === 1 && isFenceLine(lines.at(-1) ?? '') ? lines.slice(0, -1).join('\n') : text;
}

/**
 * One of the known words, in any case, with decoration and a remark after it. Null for a list of choices (a
 * template that was not filled in) and for a sentence that only begins with a known word.
 */
export function wordIn<Word extends string>(
  text: string,
  words: { readonly [spelling: string]: Word },
): Word | null {
  const plain = text.replace(/^[^\p{L}\p{N}<{[|]+/u, '');
  const match = /^([a-z]+)(?:[ _-]([a-z]+))?/i.exec(plain);
  if (match === null) return null;
  const [both, first = '', second] = match;
  const spellings = second === undefined ? [first] : [both, first];
  for (const spelling of spellings) {
    const word = spelling.replaceAll(/[ -]/g, '_').toLowerCase();
    const isAlone = /^[\s*_`"'.]*(?:$|[^\p{L}\p{N}\s|/])/u.test(plain.slice(spelling.length));
    if (isAlone && Object.hasOwn(words, word)) return words[word] ?? null;
  }
  return null;
}

export function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0]?.trim() ?? '';
}

/** Bullets, a comma list on the first line, or a JSON array; a sentence after them ends the list. */
export function filesIn(text: string): readonly string[] {
  const [first = '', ...lines] = text.split('\n');
  const inArray = jsonArray(text.trim());
  if (inArray !== null) return bounded(inArray);
  const files = first.split(/,\s+/).map(fileIn);
  for (const line of lines) {
    const item = /^[\s>]*(?:[-*•+]|\d{1,3}[.)])\s+(.*)$/.exec(line)?.[1];
    if (item === undefined && /\S\s+\S/.test(line)) break;
    files.push(fileIn(item ?? line));
    if (files.length > 2 * filesMax) break;
  }
  return bounded(files);
}

/** The name without a description after it; '' if there is none. */
export function fileIn(item: string): string {
  const text = item.trim();
  const quoted = /^"(?:[^"\\]|\\.){0,4000}"/.exec(text)?.[0];
  const name = quoted === undefined ? undefined : jsonString(quoted);
  if (name !== undefined && name !== null) return withoutNul(plainText(name));
  const dressed = /^(?:\*\*|__)?`([^`]+)`/.exec(text) ?? /^\*\*([^*]+)\*\*/.exec(text);
  const plain = dressed?.[1] ?? text.split(/:\s|:$|\s[-–—(]/, 1)[0] ?? '';
  return /^(?:\(?none\)?|n\/a|-|\[\]|`{3,}\w*|~{3,}\w*)\.?$/i.test(plain.trim()) ? '' : plain.trim();
}

export function bounded(files: readonly string[]): readonly string[] {
  return files
    .filter((file) => file !== '')
    .slice(0, filesMax)
    .map((file) => file.slice(0, fileLengthMax));
}

function jsonString(text: string): string | null {
  const value = text.startsWith('"') && text.endsWith('"') ? parsed(text) : null;
  return typeof value === 'string' ? value : null;
}

function jsonArray(text: string): readonly string[] | null {
  const value = text.startsWith('[') && text.endsWith(']') ? parsed(text) : null;
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
