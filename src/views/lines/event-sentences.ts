// How a fact becomes a sentence: a table with one entry for each type of event.
import type { Event, FactType } from '#kernel/events/events.ts';
import type { StepNames } from './step-names.ts';

export type EventSentences<Type extends FactType> = {
  readonly [type in Type]: (event: Extract<Event, { readonly type: type }>, names: StepNames) => string;
};
