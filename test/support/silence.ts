// Time limits of the tests. On a busy machine everything is slow, so no test limits a duration: a limit only ends
// a program that makes no progress.
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const lookMs = 1_000;
/** Five minutes of polls. Polls are counted, not time, so that a test process without processor time blames no other process. */
const looksMax = 300;

/** Calls `act` once when `sign` has stayed the same for five minutes. Returns how to stop watching. */
export function onSilence(sign: () => unknown, act: () => void): () => void {
  let last = sign();
  let looks = 0;
  const timer = setInterval(() => {
    const now = sign();
    looks = now === last ? looks + 1 : 0;
    last = now;
    if (looks < looksMax) return;
    clearInterval(timer);
    act();
  }, lookMs);
  return () => clearInterval(timer);
}

/** The journals of all runs below a state folder: a run that does something records it. */
export function journalsIn(stateHome: string): string[] {
  return globSync(join(stateHome, 'untildone/*/*/journal.jsonl'));
}

export function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}
