// Secrets never reach a log, an event or a screen.

export interface Redactor {
  redact(text: string): string;
  /** For text that comes in pieces: a secret that is cut in two is found all the same. */
  stream(): RedactingStream;
}

export interface RedactingStream {
  /** What may be shown by now; the last word is held back until it is whole. */
  push(text: string): string;
  end(): string;
}
