// Describes a condition in words that follow "waits".
import { durationWords } from '#base/duration-words.ts';
import type { Condition } from './condition.ts';

export function conditionWords(condition: Condition): string {
  switch (condition.kind) {
    case 'time':
      return `until ${minuteOf(condition.at)}`;
    case 'poll':
      return `until \`${condition.command}\` exits 0 (checked every ${durationWords(condition.everyMs)}, until ${minuteOf(condition.until)} at the latest)`;
    case 'file': {
      const { path, contains, isByAgent } = condition;
      const what = contains === undefined ? 'exists' : `contains ${JSON.stringify(contains)}`;
      return `until ${path} ${what}${isByAgent === true ? ' (an agent can make this file)' : ''}`;
    }
    case 'manual':
      return 'for a person';
    case 'any':
    case 'all': {
      const [only, ...more] = condition.of;
      if (only !== undefined && more.length === 0) return conditionWords(only);
      const joint = condition.kind === 'any' ? ', or ' : ', and ';
      return condition.of.map(bracketed).join(joint);
    }
  }
}

function bracketed(condition: Condition): string {
  const isCombined = condition.kind === 'any' || condition.kind === 'all';
  return isCombined && condition.of.length > 1 ? `(${conditionWords(condition)})` : conditionWords(condition);
}

/** `2026-11-18 03:10 UTC` */
export function minuteOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
