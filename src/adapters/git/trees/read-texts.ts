// Reads many files of a tree as texts, with one git process.
import { randomBytes } from 'node:crypto';
import { gitFailed } from '#adapters/git/repo/git.ts';
import { wasTooLong } from '#adapters/git/repo/run-git.ts';
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
  const all = await answers(ground, '--batch', objects);
  // What git says about a missing object has no mark.
  const isWhole = all?.size === objects.length;
  const found = isWhole
    ? all
    : await answers(ground, '--batch', withinLimits(await sizesOf(ground, objects)));
  const texts = [...(found ?? [])].filter(
    ([, { text, bytes }]) => bytes <= limits.fileBytes && !text.includes('\0'),
  );
  return new Map(texts.map(([object, { text }]) => [object, text]));
}

export function objectOf(file: string): string {
  return file.split(' ')[1] ?? '';
}

async function sizesOf(ground: TreeGround, objects: readonly string[]): Promise<Answers> {
  return (await answers(ground, '--batch-check', objects)) ?? new Map();
}

function withinLimits(sizes: Answers): string[] {
  let sum = 0;
  return [...sizes].flatMap(([object, { bytes }]) => {
    if (!(bytes <= limits.fileBytes) || sum + bytes > limits.bytes) return [];
    sum += bytes;
    return [object];
  });
}

type Answers = ReadonlyMap<string, { readonly bytes: number; readonly text: string }>;

/**
 * Each answer starts with a random mark that no file contains, so that answers cannot be confused. Null when
 * the contents are too long in all.
 */
async function answers(
  { git, gitDir }: TreeGround,
  how: '--batch' | '--batch-check',
  objects: readonly string[],
): Promise<Answers | null> {
  if (objects.length === 0) return new Map();
  const mark = randomBytes(16).toString('hex');
  const args = ['cat-file', `${how}=${mark} %(objectname) %(objectsize)`];
  const input = `${objects.join('\n')}\n`;
  // Room for the lines before the contents.
  const bytesMax = limits.bytes + objects.length * 200;
  const answer = await git.ask(args, { gitDir, input, ...(how === '--batch' ? { bytesMax } : {}) });
  if (wasTooLong(answer.stderr)) return null;
  if (answer.code !== 0) throw gitFailed(args, answer);
  const parts = answer.stdout.split(`${mark} `).slice(1);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      const [object = '', bytes = ''] = part.slice(0, end).split(' ');
      return [object, { bytes: Number(bytes), text: part.slice(end + 1).replace(/\n$/, '') }];
    }),
  );
}
