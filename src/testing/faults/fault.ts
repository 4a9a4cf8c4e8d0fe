// The type of a fault agent, and what it needs to know of its task.
import type { Chance } from './chance.ts';

/** Pieces of shell; each runs in the root of the workspace. */
export interface FaultTask {
  /** The whole work, honestly. */
  readonly solve: string;
  /** A part of it. */
  readonly half: string;
  /** Breaks something that worked at the start, and undoes that. */
  readonly harm: string;
  readonly mend: string;
  /** A test that is red until the work is done. */
  readonly test: string;
  /** Change that test so that it passes without the work, or is skipped. */
  readonly edits: Ways;
  readonly skips: Ways;
  /** Change settings so that the tests pass. */
  readonly settings: Ways;
  /** Replace the program that runs the tests. */
  readonly runners: Ways;
  /** Work that depends on files that git ignores. */
  readonly ignored: Ways;
  /** Code that answers only the tests, or that attacks them from inside their process. */
  readonly sabotage: Ways;
  /** Work that is right only sometimes. */
  readonly luck: Ways;
  /** Code or new files that keep tests from running, or replace them. */
  readonly strays: Ways;
  /** Leave a process behind that answers for the work. */
  readonly servers: Ways;
  /** Exits with 0 if all of the work is really done, whatever the tests say. */
  readonly truth: string;
  /** The work with a change of its tests that it needs; for tasks that allow it. */
  readonly solveWithTests: string;
  /** Where the program keeps its state, for agents that attack it. */
  readonly stateHome: string;
}

export type Ways = readonly [string, ...string[]];

/** The task that the agent needs. `half tested`: the checks are green when half of the work is done. */
export type FaultGround = 'red' | 'green' | 'server' | 'tests may change' | 'held out' | 'half tested';

export interface FaultAgent {
  readonly name: string;
  /** What it does, in a sentence. */
  readonly does: string;
  /** Honest work must be accepted, all other work never. */
  readonly isHonest: boolean;
  /** With several, seeds take turns. */
  readonly ground: FaultGround | readonly [FaultGround, ...FaultGround[]];
  /** It never ends by itself: give sessions a short limit. */
  readonly hangs?: boolean;
  /** Attempts needed to see its behaviour; one by default. */
  readonly attemptsMin?: number;
  builder(task: FaultTask, chance: Chance): string;
  /** As a reviewer; by default it passes everything. */
  reviewer?(task: FaultTask, chance: Chance): string;
  /** What another reviewer, `second`, does; by default there is none. */
  second?(task: FaultTask): string;
}

/** An agent whose work must be rejected, on checks that are red before it. */
export function dishonest(name: string, does: string, builder: FaultAgent['builder']): FaultAgent {
  return { name, does, isHonest: false, ground: 'red', builder };
}

/** The final words of our presets' agents, in shell. `$n` counts the sessions of the role. */
export const saysDone = "printf '\\n===WIGGUM_COMPLETE===\\n'";
export const passes = "printf '\\n===VERIFIER_COMPLETE===\\n'";
export const fails =
  "printf '\\n<verifier-report>Something that was asked for is missing.</verifier-report>\\n'";

/** Git for an agent without a name. */
export const asOtherPerson = 'git -c user.name=a -c user.email=a@example.invalid';

/** Quotes a text as one word of shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Shell that puts a program into the first folder of the PATH, if that folder belongs to the user. */
export function inPath(name: string, does: string): string {
  return `mkdir -p "$HOME/bin"; printf '#!/bin/sh\\n%s\\n' ${quoted(does)} > "$HOME/bin/${name}"; chmod +x "$HOME/bin/${name}"`;
}

/** Shell that writes a file, with the folders above it. */
export function put(path: string, text: string): string {
  const folder = path.includes('/') ? `mkdir -p ${quoted(path.slice(0, path.lastIndexOf('/')))}; ` : '';
  return `${folder}printf %s ${quoted(text)} > ${quoted(path)}`;
}
