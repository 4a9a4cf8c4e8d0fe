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
    const headEnd = text.indexOf('\n', at);
    const noteEnd = text.indexOf('\n', headEnd + 1);
    const importsEnd = text.indexOf('\n', noteEnd + 1);
    const wordsEnd = text.indexOf('\n', importsEnd + 1);
    const end = text.indexOf('\n', wordsEnd + 1);
    const [key = '', age = '', chars = '', signatureChars = ''] = text.slice(at, headEnd).split(' ');
    const record = lazyRecord({
      chars: Number(chars),
      signatureChars: Number(signatureChars),
      note: noteEnd - headEnd === 3 ? '' : (JSON.parse(text.slice(headEnd + 1, noteEnd)) as string),
      importsJson: text.slice(noteEnd + 1, importsEnd),
      wordsJson: text.slice(importsEnd + 1, wordsEnd),
      signaturesJson: text.slice(wordsEnd + 1, end),
    });
    const own = text.slice(at + key.length + age.length + 2, end + 1);
    yield { key, age: Number(age), stored: { record, text: own } };
    at = end + 1;
  }
}

interface Unread extends Pick<FileRecord, 'chars' | 'signatureChars' | 'note'> {
  readonly importsJson: string;
  readonly wordsJson: string;
  readonly signaturesJson: string;
}

/** Shared by all: getters of their own would cost each record more than reading it. */
const reads = {
  get imports(): readonly string[] {
    return JSON.parse((this as unknown as Unread).importsJson) as readonly string[];
  },
  get words(): string {
    return JSON.parse((this as unknown as Unread).wordsJson) as string;
  },
  get signatures(): string {
    return JSON.parse((this as unknown as Unread).signaturesJson) as string;
  },
};

function lazyRecord(unread: Unread): FileRecord {
  return Object.setPrototypeOf(unread, reads) as FileRecord;
}

/** One byte for each character, so that nothing has to be decoded. */
function asciiJson(value: string | readonly string[]): string {
  return JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
