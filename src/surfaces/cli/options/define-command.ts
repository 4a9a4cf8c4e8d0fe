// The types and helpers that all command definitions share.
import type { Command } from 'commander';

/** Adds one command to the program. Its action is imported on use. */
export type DefineCommand = (program: Command, act: Act) => void;

/** Makes an action that imports its body on use, passes on what commander parsed, and keeps the exit code. */
export type Act = <Given extends unknown[]>(
  load: () => Promise<(...given: Given) => Promise<number>>,
) => (...given: Given) => Promise<void>;

export interface JsonOption {
  readonly json?: boolean;
}

export const more = (value: string, known: string[] | undefined): string[] => [...(known ?? []), value];
