// Caches git's answers about objects named by hash: they never change. The cache has a size limit.
import type { Git, GitOptions } from './git.ts';

/** Pins and calibration read the same few trees and manifests at every check. */
const charsMax = 32 * 1024 * 1024;
const isHash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

const memories = new WeakMap<Git, Map<string, string>>();

/** As `git.tell`. Contract: only the object, the last of `args`, decides the answer. */
export async function tellOnce(git: Git, args: readonly string[], options: GitOptions): Promise<string> {
  if (!isHash.test(args.at(-1) ?? '')) return git.tell(args, options);
  const memory = memories.get(git) ?? new Map<string, string>();
  memories.set(git, memory);
  const key = args.join(' ');
  const known = memory.get(key);
  if (known !== undefined) return known;
  const answer = await git.tell(args, options);
  const chars = [...memory.values()].reduce((sum, one) => sum + one.length, answer.length);
  if (chars > charsMax) memory.clear();
  if (answer.length <= charsMax) memory.set(key, answer);
  return answer;
}
