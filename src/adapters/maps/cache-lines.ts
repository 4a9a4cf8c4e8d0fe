// A record as lines of a cache: what is short can be read at once, what is long only when somebody asks for it.
import type { FileRecord } from './file-record.ts';

export interface StoredRecord {
  readonly record: FileRecord;
  /** `chars signatureChars note`, then imports, words and signatures, each a line of JSON in ASCII. */
  readonly text: string;
}

export interface StoredLine {
  readonly key: string;
  readonly age: number;
  readonly stored: StoredRecord;
}

export function storedRecord(record: FileRecord): StoredRecord {
  const { chars, signatures, signatureChars, imports, words, note } = record;
  const long = [note, imports, words, signatures].map(asciiJson).join('\n');
  return { record, text: `${chars} ${signatureChars}\n${long}\n` };
}

export function lineOf(key: string, age: number, { text }: StoredRecord): string {
  return `${key} ${age} ${text}`;
}

/** Contract: the text is ours, as its checksum has said. */
export function* linesOf(text: string): Generator<StoredLine> {
  for (let at = 0; at < text.length;) {
    const ends: number[] = [];
    for (let end = at - 1; ends.length < 5;) {
      end = text.indexOf('\n', end + 1);
      ends.push(end);
    }
    const [first = 0] = ends;
    const [key = '', age = '', chars = '', signatureChars = ''] = text.slice(at, first).split(' ');
    const last = ends[4] ?? first;
    const textAt = at + key.length + age.length + 2;
    const record = lazyRecord(text, ends, { chars: Number(chars), signatureChars: Number(signatureChars) });
    yield { key, age: Number(age), stored: { record, text: text.slice(textAt, last + 1) } };
    at = last + 1;
  }
}

function lazyRecord(
  text: string,
  [head = 0, note = 0, imports = 0, words = 0, signatures = 0]: readonly number[],
  numbers: Pick<FileRecord, 'chars' | 'signatureChars'>,
): FileRecord {
  const read = (from: number, to: number): unknown => JSON.parse(text.slice(from + 1, to));
  return {
    ...numbers,
    note: note - head === 3 ? '' : (read(head, note) as string),
    get imports() {
      return read(note, imports) as readonly string[];
    },
    get words() {
      return read(imports, words) as string;
    },
    get signatures() {
      return read(words, signatures) as string;
    },
  };
}

/** One byte for each character, so that nothing has to be decoded. */
function asciiJson(value: string | readonly string[]): string {
  return JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
