import { type ReadRecord, recordOf, unreadRecord } from './file-record.ts';
import type { ListedFile } from './list-files.ts';
import type { Source } from './read-source.ts';

export interface Extracted {
  readonly path: string;
  /** Null where there is no such file any more. */
  readonly record: ReadRecord | null;
  /** The blob by which it was listed. */
  readonly listed: string | null;
  /** The hashes of what was read; none where it was not. */
  readonly blobs: readonly string[];
}

/** Contract: never throws for what a file is or holds. */
export async function extractOne(
  { path, blob }: ListedFile,
  read: (path: string) => Source,
): Promise<Extracted> {
  const source = read(path);
  switch (source.kind) {
    case 'missing':
      return { path, record: null, listed: blob, blobs: [] };
    case 'unread':
      return { path, record: unreadRecord(source.chars, source.why), listed: blob, blobs: [] };
    case 'text':
      return { path, record: await recordOf(path, source.text), listed: blob, blobs: source.blobs };
  }
}
