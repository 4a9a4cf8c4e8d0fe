// What a manifest may say of the command that installs its dependencies, where no lock file is committed. Pure.
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

/** A command that only the user knows. */
export function named(why: string, before = ''): FoundSetup {
  return {
    kind: 'ask',
    why,
    hint: `${before}Name the command: --setup "…", or --no-setup to install nothing.`,
  };
}

/** A manifest that cannot be read could declare anything. */
export function notJson(path: string): FoundSetup {
  return named(`${path} is not valid JSON`);
}

export function self(path: string, tool: string): FoundSetup {
  return { kind: 'self', why: `${path} exists, and ${tool} fetches dependencies when it builds` };
}

export function isFilled(value: unknown): boolean {
  return listOf(value).length > 0 || Object.keys(tableOf(value) ?? {}).length > 0;
}
