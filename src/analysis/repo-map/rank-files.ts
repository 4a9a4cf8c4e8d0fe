// Ranks files by their importance for a goal.
import { type Links, linksOf, type Linked, pageRank } from './rank-imports.ts';
import { scoreByWords, type Worded } from './rank-words.ts';

export interface Rankable extends Worded, Linked {
  readonly kind: 'code' | 'test' | 'vendored' | 'other';
}

/** Measured on real commits: words find nine files of ten, imports add two or three in a hundred. */
const importWeight = 0.3;
/** A test shares the words of its subject, and would come first; files other than code rarely change. */
const kindWeight = { code: 1, test: 0.5, other: 0.6, vendored: 0 } as const;

/**
 * From 0 up, higher is nearer. Without a goal, files with many users come first. `links` belong to the same
 * files, if known.
 */
export function rankFiles(
  goal: string,
  files: readonly Rankable[],
  links: Links = linksOf(files),
): Float64Array {
  const words = scaled(scoreByWords(goal, files));
  const used = scaled(pageRank(links, words));
  return words.map(
    (score, at) => (score + importWeight * (used[at] ?? 0)) * kindWeight[files[at]?.kind ?? 'other'],
  );
}

/** Whether any file has a word of the goal: imports alone do not reach that rank. */
export function areNear(ranks: Float64Array): boolean {
  return ranks.some((rank) => rank > importWeight);
}

function scaled(scores: Float64Array): Float64Array {
  const most = scores.reduce((max, score) => Math.max(max, score), 0);
  return most === 0 ? scores : scores.map((score) => score / most);
}
