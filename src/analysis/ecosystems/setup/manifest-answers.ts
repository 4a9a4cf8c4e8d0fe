// The possible setups of a manifest without a committed lock file. Pure.
import { listOf, tableOf } from '#analysis/texts/plain.ts';
import type { FoundSetup } from './found-setup.ts';

export function unlocked(command: string, path: string, lock: string): FoundSetup {
  return {
    kind: 'command',
    command,
    why: `${path} declares dependencies, and no ${lock} is committed`,
    isUnlocked: true,
  };
}

/** Only the user knows the command. */
export function named(why: string, before = ''): FoundSetup {
  return {
    kind: 'ask',
    why,
    hint: `${before}Name the command: --setup "…", or --no-setup to install nothing.`,
  };
}

/** An unreadable manifest could declare anything. */
export function notJson(path: string): FoundSetup {
  return named(`${path} is not valid JSON`);
}

export function self(path: string, tool: string): FoundSetup {
  return { kind: 'self', why: `${path} exists, and ${tool} fetches dependencies when it builds` };
}

export function isFilled(value: unknown): boolean {
  return listOf(value).length > 0 || Object.keys(tableOf(value) ?? {}).length > 0;
}
