// `scripts.test`, `files[0]`, `exports["./x"].default`, `$.a.b`, or a pointer such as `/scripts/test`. Pure.
import { parseJson } from '#base/parse-json.ts';

export type JsonPath = readonly (string | number)[];

/** Null for what is no path. */
export function parseJsonPath(text: string): JsonPath | null {
  if (text.startsWith('/')) return text.slice(1).split('/').map(unescapePointer);
  const rest = text.replace(/^\$\.?/, '');
  if (rest === '') return text === '$' ? [] : null;
  const steps: (string | number)[] = [];
  const part = /(?:^|\.)([^.[\]"']+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\['([^']*)'\]/y;
  while (part.lastIndex < rest.length) {
    const found = part.exec(rest);
    if (found === null) return null;
    const [, name, index, quoted, plain] = found;
    if (index !== undefined) steps.push(Number(index));
    else steps.push(name ?? plain ?? unquoted(quoted ?? '""'));
  }
  return steps;
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function unquoted(text: string): string {
  return String(parseJson(text) ?? text.slice(1, -1));
}
