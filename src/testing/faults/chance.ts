// Repeatable randomness: the same seed gives the same choices.
export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number;
  pick<T>(from: readonly [T, ...T[]]): T;
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, pick: (from) => from[Math.floor(next() * from.length)] ?? from[0] };
}
