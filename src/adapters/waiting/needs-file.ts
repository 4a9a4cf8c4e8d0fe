// Keeps the variable names that a run's last driver gave its agents, with its journal: wake records get lost.
import { replaceFile, readSmallJson } from '#adapters/files/files.ts';

const bytesMax = 1 << 16;

/** Null if no driver has written any. Contract: never rejects. */
export async function readNeeds(file: string): Promise<readonly string[] | null> {
  const value = await readSmallJson(file, bytesMax);
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : null;
}

/** Contract: never rejects; a full disk costs the names. */
export async function writeNeeds(file: string, names: readonly string[]): Promise<void> {
  const known = await readNeeds(file);
  if (JSON.stringify(known ?? []) === JSON.stringify(names)) return;
  await replaceFile(file, `${JSON.stringify(names)}\n`).catch(() => undefined);
}
