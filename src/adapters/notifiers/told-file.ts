// Which notifications of a run were sent already, kept with its journal: a driver that comes back does not say things twice.
import { appendFileSync, readFileSync } from 'node:fs';
import { orElse } from '#base/or-else.ts';

export interface ToldFile {
  /**
   * True for what was never claimed before. Contract: it is on the disk when this returns, before anything is sent, so that a
   * crash can lose a notification but never doubles one; where the file cannot be written, twice is better than never.
   */
  claim(id: string): boolean;
}

export function openToldFile(path: string): ToldFile {
  const told = new Set(orElse(() => readFileSync(path, 'utf8'), '').split('\n'));
  return {
    claim(id) {
      const line = JSON.stringify(id);
      if (told.has(line)) return false;
      told.add(line);
      try {
        // A handful in the life of a run: not worth a queue of its own.
        appendFileSync(path, `${line}\n`, { mode: 0o600 });
      } catch {
        return true;
      }
      return true;
    },
  };
}
