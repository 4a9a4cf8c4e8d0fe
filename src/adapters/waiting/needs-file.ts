// The names of the variables that the agents of a run were given by its last driver, kept with its journal: a wake record may be lost.
import { readSmallFile, replaceFile } from '#adapters/files/files.ts';

const bytesMax = 1 << 16;

/** Null where no driver has written any. Contract: never rejects. */
export async function readNeeds(file: string): Promise<readonly string[] | null> {
  try {
    const bytes = await readSmallFile(file, bytesMax);
    const value: unknown = bytes === null ? null : JSON.parse(bytes.toString());
    if (!Array.isArray(value)) return null;
    return value.filter((name): name is string => typeof name === 'string');
  } catch {
    return null;
  }
}

/** Contract: never rejects; a full disk costs the names. */
export async function writeNeeds(file: string, names: readonly string[]): Promise<void> {
  const known = await readNeeds(file);
  if (JSON.stringify(known ?? []) === JSON.stringify(names)) return;
  await replaceFile(file, `${JSON.stringify(names)}\n`).catch(() => undefined);
}
