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

export const pollsIn = readOnce((awaited): readonly AwaitedPoll[] =>
  partsOf(awaited).flatMap(([one, condition]) =>
    condition.kind === 'poll' ? [{ awaited: one, condition, key: pollKey(one, condition) }] : [],
  ),
);

export const filesIn = readOnce((awaited): readonly FileCondition[] =>
  partsOf(awaited).flatMap(([, condition]) => (condition.kind === 'file' ? [condition] : [])),
);

export const timesIn = readOnce((awaited): readonly number[] =>
  awaited.flatMap((one) =>
    one.kind === 'suspension'
      ? partsOf([one]).flatMap(([, part]) => ('at' in part ? [part.at] : []))
      : [one.at],
  ),
);

/** A list of a thousand conditions is asked for each second, and does not change. */
function readOnce<T>(
  read: (awaited: readonly AwaitedCondition[]) => T,
): (awaited: readonly AwaitedCondition[]) => T {
  const known = new WeakMap<readonly AwaitedCondition[], { readonly value: T }>();
  return (awaited) => {
    const found = known.get(awaited) ?? { value: read(awaited) };
    known.set(awaited, found);
    return found.value;
  };
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

/** A path has no zero byte. */
export function fileKey({ path, contains = '' }: FileCondition): string {
  return `${path}\0${contains}`;
}
