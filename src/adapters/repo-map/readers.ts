// Reads the files that a map needs, one after the other.
import { setImmediate } from 'node:timers/promises';
import { hash } from 'node:crypto';
import { type ReadWords, type FileRecord, noteOnly } from '#analysis/repo-map/file-record.ts';
import type { ListedFile } from './list-files.ts';
import { createSourceReader, type HashName, type Source } from './read-source.ts';
import type { OutlineText } from './outline-text.ts';
import { grammarOf } from '#analysis/repo-map/grammar-names.ts';
import { importsIn } from '#analysis/repo-map/imports.ts';
import { withoutBodies, type Sketch } from '#analysis/repo-map/without-bodies.ts';
import { whyNotWritten } from '#analysis/repo-map/kind.ts';

export interface Readers {
  /** Contract: calls `onFile` once for each file; rejects only if the signal is aborted. */
  ask<Q extends Question>(
    question: Q,
    files: readonly ListedFile[],
    onFile: (one: ReadResult<Q>) => void,
  ): Promise<void>;
}

export interface Reading {
  readonly root: string;
  readonly hash: HashName;
  readonly readWords: ReadWords;
  readonly signal: AbortSignal;
}

/** Yields after this many files, so that a signal can arrive. */
const batchSize = 16;

/** The optimizing compiler needs hundreds of megabytes for large grammars and hardly pays off. */
const flags = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

export function createReaders({ root, hash, readWords, signal }: Reading): Readers {
  const looking = { read: createSourceReader(root, hash), readWords };
  return {
    async ask(question, files, onFile) {
      if (files.length === 0) return;
      // Loaded lazily: most maps read no file.
      const { setFlagsFromString } = await import('node:v8');
      for (const flag of flags) setFlagsFromString(flag);
      for (const [at, file] of files.entries()) {
        if (at % batchSize === 0) await setImmediate();
        signal.throwIfAborted();
        onFile(await readers[question](file, looking));
      }
    },
  };
}

type Question = keyof FileAnswers;

interface FileAnswers {
  readonly words: FileWords;
  readonly outline: OutlineText;
}

export interface ReadResult<Q extends Question = Question> {
  readonly path: string;
  /** Null if the file is gone. */
  readonly found: FileAnswers[Q] | null;
  /** The blob in the listing. */
  readonly listed: string | null;
  /** Hashes of the bytes read; empty if it was not read. */
  readonly blobs: readonly string[];
}

interface ReadContext {
  readonly read: (path: string) => Source;
  readonly readWords: ReadWords;
}

type ReadOne<Q extends Question> = (file: ListedFile, looking: ReadContext) => Promise<ReadResult<Q>>;

/** Contract: never throws, whatever the file is or contains. */
const readers: { readonly [Q in Question]: ReadOne<Q> } = {
  async words(file, { read, readWords }) {
    return readFileFor(file, read, {
      text: (text) => wordsOfFile(file.path, text, readWords),
      unread: ({ chars, why }) => ({ record: noteOnly(chars, why), shortKey: '' }),
    });
  },
  async outline(file, { read }) {
    // The parser takes longer to load than everything else that a map needs.
    const { outlineTextOf } = await import('./outline-text.ts');
    return readFileFor(file, read, {
      text: (text) => outlineTextOf(file.path, text),
      unread: ({ why }) => ({ signatures: '', note: why, isShort: false }),
    });
  },
};

interface Ways<Q extends Question> {
  text(text: string): FileAnswers[Q] | Promise<FileAnswers[Q]>;
  unread(source: Extract<Source, { kind: 'unread' }>): FileAnswers[Q];
}

async function readFileFor<Q extends Question>(
  { path, blob }: ListedFile,
  read: ReadContext['read'],
  ways: Ways<Q>,
): Promise<ReadResult<Q>> {
  const source = read(path);
  switch (source.kind) {
    case 'missing':
      return { path, found: null, listed: blob, blobs: [] };
    case 'unread':
      return { path, found: ways.unread(source), listed: blob, blobs: [] };
    case 'text':
      return { path, found: await ways.text(source.text), listed: blob, blobs: source.blobs };
  }
}

interface FileWords {
  readonly record: FileRecord;
  /** Hash of the text without bodies: equal hashes have equal outlines. '' if the whole text counts. */
  readonly shortKey: string;
}

/** Reads a text without the parser, to rank files for a goal. Contract: never throws for its content. */
export function wordsOfFile(path: string, text: string, readWords: ReadWords): FileWords {
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
      // Names before comments: the number of words per file is limited.
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
