// The type of the table that turns each type of event into a sentence.
import type { Event, FactType } from '#kernel/events/events.ts';
import type { StepNames } from './step-names.ts';

export type EventSentences<Type extends FactType> = {
  readonly [type in Type]: (event: Extract<Event, { readonly type: type }>, names: StepNames) => string;
};
