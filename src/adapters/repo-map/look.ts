// One file of a checkout, as a map asks for it: skimmed, or with its signatures.
import { noteOnly, type ReadWords } from '#analysis/repo-map/file-record.ts';
import type { ListedFile } from './list-files.ts';
import type { OutlineText } from './outline-text.ts';
import type { Source } from './read-source.ts';
import { type Skim, skimOf } from './skim.ts';

export type Question = keyof Found;

export interface Found {
  readonly skim: Skim;
  readonly outline: OutlineText;
}

export interface Looked<Q extends Question = Question> {
  readonly path: string;
  /** Null where there is no such file any more. */
  readonly found: Found[Q] | null;
  /** The blob by which it was listed. */
  readonly listed: string | null;
  /** The hashes of what was read; none where it was not. */
  readonly blobs: readonly string[];
}

export interface Looking {
  readonly read: (path: string) => Source;
  readonly readWords: ReadWords;
}

type Look<Q extends Question> = (file: ListedFile, looking: Looking) => Promise<Looked<Q>>;

/** Contract: never throws for what a file is or holds. */
export const looks: { readonly [Q in Question]: Look<Q> } = {
  async skim(file, { read, readWords }) {
    return lookAt(file, read, {
      text: (text) => skimOf(file.path, text, readWords),
      unread: ({ chars, why }) => ({ record: noteOnly(chars, why), shortKey: '' }),
    });
  },
  async outline(file, { read }) {
    // The parser takes longer to load than all else that a map needs.
    const { outlineTextOf } = await import('./outline-text.ts');
    return lookAt(file, read, {
      text: (text) => outlineTextOf(file.path, text),
      unread: ({ why }) => ({ signatures: '', note: why, isShort: false }),
    });
  },
};

interface Ways<Q extends Question> {
  text(text: string): Found[Q] | Promise<Found[Q]>;
  unread(source: Extract<Source, { kind: 'unread' }>): Found[Q];
}

async function lookAt<Q extends Question>(
  { path, blob }: ListedFile,
  read: Looking['read'],
  ways: Ways<Q>,
): Promise<Looked<Q>> {
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
