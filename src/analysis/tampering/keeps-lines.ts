// Decides whether a text only had lines added. Pure.

/** Every line of `before` is in `after`, in the same order. */
export function keepsLines(before: string, after: string): boolean {
  const wanted = linesOf(before);
  let kept = 0;
  for (const line of linesOf(after)) if (line === wanted[kept]) kept += 1;
  return kept === wanted.length;
}

/** The end of the last line is not another line. */
function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}
