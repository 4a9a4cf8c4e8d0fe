// What each definition of a command is given and shares.
import type { Command } from 'commander';

/** Adds one command to the program. Its body is imported when it is used. */
export type DefineCommand = (program: Command, act: Act) => void;

/** An action that loads its body when it is used, gives it what commander read, and remembers its exit code. */
export type Act = <Given extends unknown[]>(
  load: () => Promise<(...given: Given) => Promise<number>>,
) => (...given: Given) => Promise<void>;

export interface JsonOption {
  readonly json?: boolean;
}

/** An option that can be given more than once. */
export const more = (value: string, known: string[] | undefined): string[] => [...(known ?? []), value];
