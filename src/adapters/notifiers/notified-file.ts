// Records which notifications of a run were sent, beside its journal: a resumed driver repeats none.
import { appendFileSync, readFileSync } from 'node:fs';
import { orElse } from '#base/or-else.ts';

export interface NotifiedFile {
  /**
   * True for a new id. Contract: the claim is written before this returns, before anything is sent: a crash
   * can lose a notification but never doubles one. If the write fails, twice is better than never.
   */
  claim(id: string): boolean;
}

export function openNotifiedFile(path: string): NotifiedFile {
  const notified = new Set(orElse(() => readFileSync(path, 'utf8'), '').split('\n'));
  return {
    claim(id) {
      const line = JSON.stringify(id);
      if (notified.has(line)) return false;
      notified.add(line);
      try {
        // Only a few per run: a queue is not worth it.
        appendFileSync(path, `${line}\n`, { mode: 0o600 });
      } catch {
        return true;
      }
      return true;
    },
  };
}
