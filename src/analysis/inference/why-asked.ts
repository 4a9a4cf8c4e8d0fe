import type { RepositoryFacts } from './facts.ts';
import { ask, type Inference } from './inference.ts';
import type { Sentence } from './sentence.ts';

const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:if|when|whenever|unless|after|before|once|while|given|until)\b/,
    'it depends on a condition that files alone do not decide',
  ],
  [
    /\b(?:not|never|no|none|without|neither|nor|cannot)\b|n't\b/,
    'it says what must never happen, which no single check proves',
  ],
  [
    /\b(?:every|each|any|all|at least|at most|more than|less than|fewer|most|always|only|some|under|within)\b/,
    'it counts or limits something that no single check measures',
  ],
  [
    /\b(?:correct\w*|properly|proper|graceful\w*|good|better|clean\w*|fast\w*|quick\w*|robust|intuitive|nice\w*|appropriate\w*|reasonable|secure\w*|reliab\w*|maintainable|readable|user-friendly|efficient\w*|well)\b/,
    'it describes quality, not something that can be checked',
  ],
  [/\bor\b/, 'it leaves a choice'],
  [/\band\b|,|;/, 'it says several things, and not all of them can be checked'],
];

const uiWords =
  /\b(?:page|button|click\w*|screen|modal|dialog|form|browser|visible|displays?|shows?|hover\w*|menu|ui|tooltip|dropdown|layout)\b/;

/** Why nothing was inferred, and what a person could do about it. */
export function whyAsked({ words }: Sentence, facts: RepositoryFacts): Inference {
  const reason = reasons.find(([pattern]) => pattern.test(words))?.[1];
  const why = reason ?? 'it describes behaviour, or in words that no rule covers';
  if (facts.hasPages && uiWords.test(words)) {
    return ask(
      why,
      'A browser test would show it: write one and give its command or its script as the check.',
    );
  }
  return ask(why, 'Give a check of your own: a command that fails while this is not true.');
}
