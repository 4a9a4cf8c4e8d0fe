import type { MachineCheck } from '#kernel/model/check.ts';

/** The meaning of a sentence. In doubt it asks: a check that means something else is worse than none. */
export type Inference =
  | {
      readonly kind: 'checks';
      /** All of them together express the sentence. */
      readonly checks: readonly [MachineCheck, ...MachineCheck[]];
      readonly confidence: number;
      readonly why: string;
      /** Partly guessed, so that a person has to accept it first. */
      readonly isSuggestion: boolean;
    }
  | { readonly kind: 'ask'; readonly why: string; readonly suggestion: string | null };

export function understood(
  checks: readonly [MachineCheck, ...MachineCheck[]],
  confidence: number,
  why: string,
): Inference {
  return { kind: 'checks', checks, confidence: Math.round(confidence * 100) / 100, why, isSuggestion: false };
}

export function ask(why: string, suggestion: string | null = null): Inference {
  return { kind: 'ask', why, suggestion };
}
