// How a control is settled.
import type { Fact } from './events.ts';

/** The facts that follow from it, or why it is refused: a sentence without its full stop. */
export type Settlement = { readonly facts: readonly Fact[] } | { readonly refused: string };
