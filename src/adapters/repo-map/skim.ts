// What can be told of a text without the parser: enough to know which files are near to a goal.
import { hash } from 'node:crypto';
import { grammarOf } from '#analysis/repo-map/grammar-names.ts';
import { importsIn } from '#analysis/repo-map/imports.ts';
import { type Sketch, withoutBodies } from '#analysis/repo-map/without-bodies.ts';
import { type FileRecord, noteOnly, type ReadWords } from '#analysis/repo-map/file-record.ts';
import { whyNotWritten } from '#analysis/repo-map/kind.ts';

export interface Skim {
  readonly record: FileRecord;
  /** Names what is left without bodies: whatever has the same has the same outline. '' where the whole text counts. */
  readonly shortKey: string;
}

/** Contract: never throws for what a file holds. */
export function skimOf(path: string, text: string, readWords: ReadWords): Skim {
  const why = whyNotWritten(text);
  const grammar = grammarOf(path);
  if (why !== null || grammar === null) return { record: noteOnly(text.length, why ?? ''), shortKey: '' };
  const sketch = withoutBodies(text, grammar);
  const { imports: named, rest } = importsIn(sketch?.code ?? text, grammar);
  const imports = named.join('\n');
  return {
    record: {
      chars: text.length,
      imports,
      importsSum: sumOf(imports),
      // Names before comments: there is a limit to what is taken of each file.
      words: readWords(`${rest}\n${sketch?.comments ?? ''}`),
      note: '',
      signatures: null,
    },
    shortKey: sketch === null ? '' : shortKeyOf(grammar, sketch),
  };
}

function shortKeyOf(grammar: string, { code, comments }: Sketch): string {
  return hash('sha1', `${grammar}\0${code}\0${comments}`);
}

function sumOf(text: string): number {
  let sum = text.length;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x0100_0193);
  return sum | 0;
}
