const unitMs: { readonly [unit: string]: number } = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `90s`, `20m`, `1.5h`, `14d`, or a number of seconds; null when it is none of these. */
export function parseDuration(text: string | number): number | null {
  const found = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d)?\s*$/.exec(String(text));
  if (found === null) return null;
  const ms = Number(found[1]) * (unitMs[found[2] ?? 's'] ?? 1000);
  return Number.isFinite(ms) ? Math.round(ms) : null;
}
