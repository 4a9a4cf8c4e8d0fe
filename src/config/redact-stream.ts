// Redacts text that arrives in pieces: holds back what may be a part of a secret.
import type { RedactingStream } from '#ports/redactor.ts';

export interface Secrets {
  /** With the flag `g`. */
  readonly pattern: RegExp;
  /** Contract: false only when the pattern has no match. It costs a fraction of the pattern. */
  mayBeIn(text: string): boolean;
  /** Values with a blank inside. */
  readonly spaced: readonly string[];
  /** The length of the longest value. */
  readonly lengthMax: number;
}

/** Longer than any key: no more than this is held back, unless a value is longer. */
const heldMax = 4096;
/** Longer than what the pattern looks back at: a colour for text and ground, with every other attribute. */
const contextMax = 256;

export function streamThrough(redact: (text: string) => string, secrets: Secrets): RedactingStream {
  let held = '';
  return {
    push(text) {
      const whole = held + text;
      const end = endOfSafe(whole, secrets);
      held = whole.slice(end);
      return redact(whole.slice(0, end));
    },
    end() {
      const last = held;
      held = '';
      return redact(last);
    },
  };
}

/** An escape character begins a colour, which may stand directly before a key. */
export function isBlank(code: number): boolean {
  return code <= 32 && code !== 27;
}

/** No secret goes on over this place, even if its end is still to come. */
function endOfSafe(whole: string, secrets: Secrets): number {
  let end = startOfLastWord(whole, Math.max(heldMax, secrets.lengthMax));
  for (let start = end; ; end = start) {
    start = Math.min(...secrets.spaced.map((value) => startAcross(whole, end, value)), end);
    if (start === end) break;
  }
  const isInWord = end > 0 && !isBlank(whole.charCodeAt(end - 1));
  return isInWord ? outsideOfMatches(whole, end, secrets) : end;
}

/** Everything after the last blank may be the beginning of a key. */
function startOfLastWord(text: string, most: number): number {
  const last = Math.max(0, text.length - most);
  for (let at = text.length; at > last; at -= 1) {
    if (isBlank(text.charCodeAt(at - 1))) return at;
  }
  return last;
}

/** Where the value, or the part of it that has arrived, begins before `end` and goes on after it; else `end`. */
function startAcross(whole: string, end: number, value: string): number {
  for (let at = Math.max(0, end - value.length + 1); at < end; at += 1) {
    if (whole[at] === value[0] && whole.startsWith(value.slice(0, whole.length - at), at)) return at;
  }
  return end;
}

/** Inside a word that is too long to hold back: not in a secret, and not between a secret and what stands before it. */
function outsideOfMatches(whole: string, end: number, secrets: Secrets): number {
  if (!secrets.mayBeIn(whole)) return end;
  let previousEnd = 0;
  for (const { 0: found, index } of whole.matchAll(secrets.pattern)) {
    const matchEnd = index + found.length;
    // No key is that long; it is not held back.
    if (index < end && matchEnd > end && found.length > heldMax) return matchEnd;
    if (index - contextMax < end && matchEnd > end) return Math.max(previousEnd, index - contextMax);
    previousEnd = matchEnd;
  }
  return end;
}
