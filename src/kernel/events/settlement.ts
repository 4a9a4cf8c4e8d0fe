// What becomes of a control.
import type { Fact } from './events.ts';

/** The facts that it leads to, or why it is refused: a sentence without its full stop. */
export type Settlement = { readonly facts: readonly Fact[] } | { readonly refused: string };
