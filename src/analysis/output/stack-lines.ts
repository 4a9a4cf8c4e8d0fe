// Recognises lines of a stack trace, in the languages whose runners are known here. Pure.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';

const frames = factsOf('tests').flatMap((each) => each.frames ?? []);

export function isStackLine(line: string): boolean {
  return frames.some((frame) => frame.test(line));
}

/** More than this in a row adds nothing new. */
const framesMax = 2;

/** The first lines of each stack, and their number; everything else stays. */
export function withoutLongStacks(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let row = 0;
  const end = (): void => {
    if (row > framesMax) kept.push(`    [… ${row - framesMax} more lines of the stack …]`);
    row = 0;
  };
  for (const line of lines) {
    if (!isStackLine(line)) end();
    else row += 1;
    if (row <= framesMax) kept.push(line);
  }
  end();
  return kept;
}
