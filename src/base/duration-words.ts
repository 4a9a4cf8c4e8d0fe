/** `200 ms`, `3 s`, `15 min`, `2.5 h` */
export function durationWords(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 120_000) return `${tenths(ms / 1000)} s`;
  return ms < 7_200_000 ? `${tenths(ms / 60_000)} min` : `${tenths(ms / 3_600_000)} h`;
}

function tenths(amount: number): number {
  return Math.round(amount * 10) / 10;
}
