// What each definition of a command is given and shares.
import type { Command } from 'commander';

/** Adds one command to the program. Its body is imported when it is used. */
export type DefineCommand = (program: Command, act: Act) => void;

/** Runs an action and remembers its exit code. */
export type Act = (run: () => Promise<number>) => Promise<void>;

export interface JsonOption {
  readonly json?: boolean;
}

/** An option that can be given more than once. */
export const more = (value: string, known: string[] | undefined): string[] => [...(known ?? []), value];
