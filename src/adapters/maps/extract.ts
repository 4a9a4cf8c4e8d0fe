// Reads and parses many files: here when they are few, else on every core.
import { type FileRecord, recordOf, unreadRecord } from './file-record.ts';
import type { ListedFile } from './list-files.ts';
import { createSourceReader } from './read-source.ts';

export interface Extracted {
  readonly path: string;
  /** Null where there is no such file any more. */
  readonly record: FileRecord | null;
  /** The blob by which it was listed. */
  readonly listed: string | null;
  /** The hashes of what was read; none where it was not. */
  readonly blobs: readonly string[];
}

export interface Extraction {
  readonly root: string;
  readonly wanted: readonly ListedFile[];
  readonly signal: AbortSignal;
}

export async function extract(
  { root, wanted, signal }: Extraction,
  onFile: (one: Extracted) => void,
): Promise<void> {
  const read = createSourceReader(root);
  for (const file of wanted) {
    signal.throwIfAborted();
    onFile(await extractOne(file, read));
  }
}

export async function extractOne(
  { path, blob }: ListedFile,
  read: ReturnType<typeof createSourceReader>,
): Promise<Extracted> {
  const source = read(path);
  switch (source.kind) {
    case 'missing':
      return { path, record: null, listed: blob, blobs: [] };
    case 'unread':
      return { path, record: unreadRecord(source.chars, source.why), listed: blob, blobs: [] };
    case 'text':
      return {
        path,
        record: await recordOf(path, source.text, (words) => words),
        listed: blob,
        blobs: source.blobs,
      };
  }
}
