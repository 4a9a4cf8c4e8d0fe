// Caches an expensive answer for an hour, as long as the signs that it depends on stay the same.
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseRecord } from '#base/parse-json.ts';
import { replaceFileSync } from '#adapters/files/files.ts';

const keptMsMax = 3_600_000;

interface Kept {
  readonly signs: string;
  readonly at: number;
  readonly answer: readonly string[];
}

/** Contract: asks if the file is missing, broken, unwritable or dated ahead. Keeps no partial answer. */
export async function remembered(
  file: string,
  signs: string,
  ask: () => Promise<{ readonly answer: readonly string[]; readonly isWhole: boolean }>,
): Promise<readonly string[]> {
  const kept = await read(file);
  const age = kept === null ? -1 : Date.now() - kept.at;
  if (kept !== null && kept.signs === signs && age >= 0 && age < keptMsMax) return kept.answer;
  const { answer, isWhole } = await ask();
  if (isWhole) await keep(file, { signs, at: Date.now(), answer }).catch(() => undefined);
  return answer;
}

async function read(file: string): Promise<Kept | null> {
  const { signs, at, answer } = parseRecord(await readFile(file, 'utf8').catch(() => '')) ?? {};
  const isWhole =
    typeof signs === 'string' &&
    typeof at === 'number' &&
    Array.isArray(answer) &&
    answer.every((one) => typeof one === 'string');
  return isWhole ? { signs, at, answer } : null;
}

/** Atomic: two runs may start at once. */
async function keep(file: string, kept: Kept): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  replaceFileSync(file, JSON.stringify(kept));
}
