// The possible setups of a manifest without a committed lock file. Pure.
import { listOf, tableOf } from '#analysis/texts/plain.ts';
import type { DetectedSetup } from './detected-setup.ts';

export function unlocked(command: string, path: string, lock: string): DetectedSetup {
  return {
    kind: 'command',
    command,
    why: `${path} declares dependencies, and no ${lock} is committed`,
    isUnlocked: true,
  };
}

/** Only the user knows the command. */
export function named(why: string, before = ''): DetectedSetup {
  return {
    kind: 'ask',
    why,
    hint: `${before}Name the command: --setup "…", or --no-setup to install nothing.`,
  };
}

/** An unreadable manifest could declare anything. */
export function notJson(path: string): DetectedSetup {
  return named(`${path} is not valid JSON`);
}

export function self(path: string, tool: string): DetectedSetup {
  return { kind: 'self', why: `${path} exists, and ${tool} fetches dependencies when it builds` };
}

export function isFilled(value: unknown): boolean {
  return listOf(value).length > 0 || Object.keys(tableOf(value) ?? {}).length > 0;
}
