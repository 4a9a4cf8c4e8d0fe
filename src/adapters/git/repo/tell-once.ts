// Caches git's answers about objects named by hash: they never change. The cache has a size limit.
import type { Git, GitOptions } from './git.ts';

/** Pins and calibration read the same few trees and manifests at every check. */
const charsMax = 32 * 1024 * 1024;
const hash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** The name of an object, not of a ref, which may move. */
export function isHash(name: string): boolean {
  return hash.test(name);
}

interface Memory {
  readonly answers: Map<string, string>;
  chars: number;
}

const memories = new WeakMap<Git, Memory>();

/** As `git.tell`. Contract: only the object, the last of `args`, decides the answer. */
export async function tellOnce(git: Git, args: readonly string[], options: GitOptions): Promise<string> {
  if (!isHash(args.at(-1) ?? '')) return git.tell(args, options);
  const known = memoryOf(git).answers.get(args.join(' '));
  if (known !== undefined) return known;
  const answer = await git.tell(args, options);
  know(git, args, answer);
  return answer;
}

/** Contract: `answer` is what git prints to `args`, which end with a hash. */
export function know(git: Git, args: readonly string[], answer: string): void {
  const memory = memoryOf(git);
  const key = args.join(' ');
  if (memory.answers.has(key)) return;
  if (memory.chars + answer.length > charsMax) {
    memory.answers.clear();
    memory.chars = 0;
  }
  if (answer.length > charsMax) return;
  memory.answers.set(key, answer);
  memory.chars += answer.length;
}

function memoryOf(git: Git): Memory {
  const memory = memories.get(git) ?? { answers: new Map<string, string>(), chars: 0 };
  memories.set(git, memory);
  return memory;
}
