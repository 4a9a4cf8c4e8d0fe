// Whether the scenarios for the sandbox can run on this machine; if they cannot, a line says so.
import { findBubblewrap } from '#adapters/sandbox/bubblewrap/find-bubblewrap.ts';

const found = findBubblewrap();

export const canSandbox = 'path' in found;

/** For the title of tests that need it. */
export const sandboxNote = 'path' in found ? '' : ` — NOT RUN: ${found.problem}`;

/** `UNTILDONE_SANDBOX` of tests that hold with and without. */
export function sandboxHere(): 'bubblewrap' | 'none' {
  if ('path' in found) return 'bubblewrap';
  process.stderr.write(
    `WARNING: what is to be shown in the sandbox is shown WITHOUT ONE: ${found.problem}\n`,
  );
  return 'none';
}
