// Reads a list of awaited conditions. Pure.
import {
  type AwaitedCondition,
  type FileCondition,
  type PollCondition,
  type SimpleCondition,
  simpleConditions,
} from '#kernel/waiting/condition.ts';
import { minuteOf } from '#kernel/waiting/condition-words.ts';

export type AwaitedSuspension = Extract<AwaitedCondition, { readonly kind: 'suspension' }>;

export interface AwaitedPoll {
  readonly awaited: AwaitedSuspension;
  readonly condition: PollCondition;
  readonly key: string;
}

export function idOf(awaited: AwaitedCondition): string {
  return awaited.kind === 'limit' ? `limit ${awaited.at}` : `${awaited.kind} ${awaited.suspensionId}`;
}

export function pollKey({ suspensionId }: AwaitedSuspension, { command }: PollCondition): string {
  return `${suspensionId} ${command}`;
}

export function pollsIn(awaited: readonly AwaitedCondition[]): AwaitedPoll[] {
  return partsOf(awaited).flatMap(([one, condition]) =>
    condition.kind === 'poll' ? [{ awaited: one, condition, key: pollKey(one, condition) }] : [],
  );
}

export function filesIn(awaited: readonly AwaitedCondition[]): FileCondition[] {
  return partsOf(awaited).flatMap(([, condition]) => (condition.kind === 'file' ? [condition] : []));
}

export function timesIn(awaited: readonly AwaitedCondition[]): number[] {
  return awaited.flatMap((one) =>
    one.kind === 'suspension'
      ? partsOf([one]).flatMap(([, part]) => ('at' in part ? [part.at] : []))
      : [one.at],
  );
}

function partsOf(awaited: readonly AwaitedCondition[]): [AwaitedSuspension, SimpleCondition][] {
  return awaited.flatMap((one) =>
    one.kind === 'suspension'
      ? simpleConditions(one.condition).map((part): [AwaitedSuspension, SimpleCondition] => [one, part])
      : [],
  );
}

/** When a condition of times alone was first met; null if unknown. */
export function dueOf(awaited: AwaitedSuspension): number | null {
  const { condition } = awaited;
  if (condition.kind === 'time') return condition.at;
  if (condition.kind !== 'any' && condition.kind !== 'all') return null;
  const times = condition.of.flatMap((part) => (part.kind === 'time' ? [part.at] : []));
  if (times.length < condition.of.length) return null;
  return condition.kind === 'all' ? Math.max(...times) : Math.min(...times);
}

/** The parts that are met, in words. */
export function metWords(
  { condition }: AwaitedSuspension,
  isMet: (simple: SimpleCondition) => boolean,
): string {
  return simpleConditions(condition).filter(isMet).map(partWords).join(' and ');
}

function partWords(simple: SimpleCondition): string {
  switch (simple.kind) {
    case 'time':
      return `${minuteOf(simple.at)} is reached`;
    case 'poll':
      return `\`${simple.command}\` exited 0`;
    case 'file':
      return simple.contains === undefined ? `${simple.path} exists` : `${simple.path} has the text`;
    case 'manual':
      return 'a person approved';
  }
}
