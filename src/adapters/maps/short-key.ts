import { hash } from 'node:crypto';
import { grammarOf } from '#adapters/syntax/grammars.ts';
import { withoutBodies } from '#adapters/syntax/without-bodies.ts';
import { whyNotWritten } from './kind.ts';

/** Names what is left of a text without its bodies: whatever has the same has the same outline. */
export function shortKeyOf(path: string, short: string): string {
  return hash('sha1', `${grammarOf(path) ?? ''}\0${short}`);
}

/** The same of a text that has not been parsed; null where only the parser can tell. */
export function shortKeyOfText(path: string, text: string): string | null {
  const grammar = grammarOf(path);
  if (grammar === null || whyNotWritten(text) !== null) return null;
  const short = withoutBodies(text, grammar);
  return short === null ? null : shortKeyOf(path, short);
}
