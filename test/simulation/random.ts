// Random numbers from a seed, so that every simulated run can be replayed.

export interface Random {
  /** In [0, 1). */
  next(): number;
  chance(probability: number): boolean;
  /** In [0, below). */
  int(below: number): number;
  pick<T>(items: readonly T[]): T;
  weighted<T>(items: readonly (readonly [weight: number, item: T])[]): T;
  /** Another stream that begins here; drawing from it changes nothing of this one. */
  fork(): Random;
}

export function seeded(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number): number => Math.floor(next() * below);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[int(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  };
  return {
    next,
    int,
    pick,
    fork: () => seeded(state ^ 0x5bd1e995),
    chance: (probability) => next() < probability,
    weighted(items) {
      let left = next() * items.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, item] of items) {
        left -= weight;
        if (left < 0) return item;
      }
      return pick(items)[1];
    },
  };
}
