// Many files of a tree as texts, with two git processes however many they are.
import { randomBytes } from 'node:crypto';
import type { TreeGround } from './pin-tree.ts';

const limits = {
  /** A test that a person wrote is shorter. */
  fileBytes: 2 * 1024 * 1024,
  /** What is read at once is kept in memory at once. */
  bytes: 64 * 1024 * 1024,
  files: 20_000,
};

/** `files`: mode and object each, the most important first. By object; without those that are binary or over a limit. */
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

/** Each answer begins with a word that no file can hold, so that no file is taken for the end of another. */
async function answers(
  { git, gitDir }: TreeGround,
  how: '--batch' | '--batch-check',
  objects: readonly string[],
): Promise<Map<string, string>> {
  if (objects.length === 0) return new Map();
  const mark = randomBytes(16).toString('hex');
  const format = how === '--batch' ? `${mark} %(objectname)` : `${mark} %(objectname) %(objectsize)`;
  const said = await git.tell(['cat-file', `${how}=${format}`], { gitDir, input: `${objects.join('\n')}\n` });
  // `tell` left out the newline after the last answer.
  const parts = `${said}\n`.split(`${mark} `).slice(1);
  return new Map(
    parts.map((part): [string, string] => {
      const end = part.search(/[ \n]/);
      return [part.slice(0, end), part.slice(end + 1).replace(/\n$/, '')];
    }),
  );
}
