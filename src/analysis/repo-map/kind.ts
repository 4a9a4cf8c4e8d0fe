// Decides the kind of a file: by its name first, then by its text.
import { grammarOf } from './grammar-names.ts';
import { isTest } from '#analysis/test-files/test-names.ts';

/** vendored: written elsewhere, only counted · other: not code, only listed. */
export type FileKind = 'code' | 'test' | 'vendored' | 'other';

const vendored =
  /(?:^|\/)(?:node_modules|bower_components|vendor|vendored|third[_-]?party|\.yarn|\.venv|venv|site-packages|Pods|Carthage|jspm_packages)\//;
const made =
  /(?:^|\/)(?:dist|build|out|target|coverage|__pycache__|\.next|\.nuxt)\/|\.min\.(?:js|css|mjs)$|\.bundle\.js$|\.map$/;
const generatedName =
  /(?:\.pb\.(?:go|cc|h)|_pb2(?:_grpc)?\.pyi?|_pb\.(?:js|d\.ts)|\.g\.(?:cs|dart)|\.generated\.\w+|\.designer\.cs|_generated\.\w+|zz_generated\.[\w.]+|\.gen\.\w+)$/i;

export function kindOf(path: string): FileKind {
  if (vendored.test(path)) return 'vendored';
  if (grammarOf(path) === null) return 'other';
  return isTest(path) ? 'test' : 'code';
}

export function isMadeByName(path: string): boolean {
  return generatedName.test(path) || made.test(path);
}

const generatedText =
  /\bdo not (?:edit|modify)\b|@generated\b|\b(?:auto-?generated|automatically generated|generated) (?:by|from|code|file)\b/i;

/** Why the text is not written by a person; null if it is. */
export function whyNotWritten(text: string): 'generated' | 'minified' | 'binary' | null {
  if (text.slice(0, 8_000).includes('\0')) return 'binary';
  const head = text.slice(0, 600);
  if (
    generatedText.test(head) &&
    /^\s*(?:\/\/|\/\*|#|<!--|--|;|<\?php\s*(?:\/\/|\/\*)|"""|'''|'use strict')/.test(head)
  ) {
    return 'generated';
  }
  return isMinified(text) ? 'minified' : null;
}

// Lines by people stay far below; one long table or picture among many lines does not count.
const meanLineMax = 400;

function isMinified(text: string): boolean {
  if (text.length < 5_000) return false;
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return text.length / lines > meanLineMax;
}
