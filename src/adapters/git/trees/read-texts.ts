// Reads many files of a tree as texts, always with two git processes.
import { randomBytes } from 'node:crypto';
import type { TreeGround } from './pin-tree.ts';

const limits = {
  /** Handwritten tests are shorter. */
  fileBytes: 2 * 1024 * 1024,
  /** Everything read is held in memory at once. */
  bytes: 64 * 1024 * 1024,
  files: 20_000,
};

/** Texts by object. `files`: mode and object, most important first. Skips binaries and those over a limit. */
export async function readTexts(
  ground: TreeGround,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const objects = [...new Set(files.map(objectOf))].slice(0, limits.files);
  const wanted = withinLimits(await answers(ground, '--batch-check', objects));
  const texts = await answers(ground, '--batch', wanted);
  for (const [object, text] of texts) if (text.includes('\0')) texts.delete(object);
  return texts;
}

export function objectOf(file: string): string {
  return file.split(' ')[1] ?? '';
}

function withinLimits(sizes: ReadonlyMap<string, string>): string[] {
  let sum = 0;
  return [...sizes].flatMap(([object, text]) => {
    const bytes = Number.parseInt(text, 10);
    if (!(bytes <= limits.fileBytes) || sum + bytes > limits.bytes) return [];
    sum += bytes;
    return [object];
  });
}

/** Each answer starts with a random mark that no file contains, so that answers cannot be confused. */
async function answers(
  { git, gitDir }: TreeGround,
  how: '--batch' | '--batch-check',
  objects: readonly string[],
): Promise<Map<string, string>> {
  if (objects.length === 0) return new Map();
  const mark = randomBytes(16).toString('hex');
  const format = how === '--batch' ? `${mark} %(objectname)` : `${mark} %(objectname) %(objectsize)`;
  const output = await git.tell(['cat-file', `${how}=${format}`], {
    gitDir,
    input: `${objects.join('\n')}\n`,
  });
  // `tell` removed the newline after the last answer.
  const parts = `${output}\n`.split(`${mark} `).slice(1);
  return new Map(
    parts.map((part): [string, string] => {
      const end = part.search(/[ \n]/);
      return [part.slice(0, end), part.slice(end + 1).replace(/\n$/, '')];
    }),
  );
}
