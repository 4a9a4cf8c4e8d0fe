// Keeps our views out of git without touching a file that the user commits.
import { appendFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, readIfThere } from './files.ts';

const patterns = ['.untildone/runs/', '.untildone/control/'];

/** Adds what is missing to `<git common dir>/info/exclude`; what stands there stays. */
export async function exclude(file: string): Promise<void> {
  const content = (await readIfThere(file))?.toString() ?? '';
  const lines = new Set(content.split(/\r?\n/).map((line) => line.trim()));
  const missing = patterns.filter((pattern) => !lines.has(pattern));
  if (missing.length === 0) return;
  await makeFolder(dirname(file), 0o777);
  const glue = content === '' || content.endsWith('\n') ? '' : '\n';
  await appendFile(file, `${glue}${missing.join('\n')}\n`);
}
