// The lines in which test runners tell what they did. Pure.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import type { RunnerLine } from './runner-line.ts';

// Whole lines only: the same words in somebody's prose must not turn a good run into an unknown one.
export const rules: readonly RunnerLine[] = factsOf('tests').flatMap((each) => each.lines ?? []);
