// The map's record of one file's text, independent of its name: the cache stores this.

export interface FileRecord {
  /** Length of the text; tokens are estimated from it. */
  readonly chars: number;
  /** One per line. */
  readonly imports: string;
  /** A checksum of the imports, available without reading them. */
  readonly importsSum: number;
  readonly words: Words;
  /** Why there are no signatures: `generated`, `minified`, `binary`, …; '' if there are some. */
  readonly note: string;
  /** One per line, members indented; '' if there are none, null if they were not requested yet. */
  readonly signatures: string | null;
}

/** All search words of a file, in the form that the caller chooses. */
export interface Words {
  /** A number for each. */
  readonly numbers: Uint32Array;
  /** Their total length. */
  readonly chars: number;
}

/** Turns a text into search words; the cache stores the result. */
export type ReadWords = (text: string) => Words;

/** The whole record of a text that is not read as code. */
export function noteOnly(chars: number, note: string): FileRecord {
  return {
    chars,
    imports: '',
    importsSum: 0,
    words: { numbers: new Uint32Array(), chars: 0 },
    note,
    signatures: '',
  };
}
