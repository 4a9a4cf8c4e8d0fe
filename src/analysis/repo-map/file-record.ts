// What a map knows of one file's text, whatever it is called: this is what the cache keeps.

export interface FileRecord {
  /** How long the text is; what tokens are estimated from. */
  readonly chars: number;
  /** One a line. */
  readonly imports: string;
  /** A number for all of them, to be had without reading them. */
  readonly importsSum: number;
  readonly words: Words;
  /** Why there are no signatures: `generated`, `minified`, `binary`, `takes too long to parse`, …; '' where there are. */
  readonly note: string;
  /** One a line, members further in; '' where there are none, null where nobody has asked for them yet. */
  readonly signatures: string | null;
}

/** Everything to find a file by, in a form that the caller likes. */
export interface Words {
  /** A number for each. */
  readonly numbers: Uint32Array;
  /** How long they are together. */
  readonly chars: number;
}

/** A text as words to find it by; the cache keeps what it makes of it. */
export type ReadWords = (text: string) => Words;

/** The whole of it where the text is not to be read as code. */
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
