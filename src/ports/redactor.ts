// Removes secrets from text before it reaches a log, an event or a screen.

export interface Redactor {
  redact(text: string): string;
  /** For text in pieces: finds a secret that is cut in two. */
  stream(): RedactingStream;
}

export interface RedactingStream {
  /** Returns the text that is safe so far; holds the last word back until it is complete. */
  push(text: string): string;
  end(): string;
}
