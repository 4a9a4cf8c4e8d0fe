// Keeps the list of files that a check read, one path per line, beside its log.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadsLogs } from '#ports/checker.ts';

/** A linter of a large repository reads everything; a longer list helps no reader. */
const pathsMax = 20_000;

export function openReadsLogs(logsDir: string): ReadsLogs {
  return {
    async keep(name, paths) {
      const lines = paths.filter((path) => !path.includes('\n')).slice(0, pathsMax);
      try {
        await mkdir(logsDir, { recursive: true });
        await writeFile(join(logsDir, name), lines.map((path) => `${path}\n`).join(''));
        return true;
      } catch {
        return false;
      }
    },
    async list(name) {
      const text = await readFile(join(logsDir, name), 'utf8').catch(() => null);
      return text === null ? null : text.split('\n').filter((line) => line !== '');
    },
  };
}
