// What a fault agent is, and what it has to be told of the task that it is set to.
import type { Chance } from './chance.ts';

/** Pieces of shell; each is run in the root of the workspace. */
export interface FaultTask {
  /** The whole work, honestly. */
  readonly solve: string;
  /** A part of it. */
  readonly half: string;
  /** Harm to something that worked at the start, and its undoing. */
  readonly harm: string;
  readonly mend: string;
  /** A test that is red until the work is done. */
  readonly test: string;
  /** That test, so that it passes though nothing was done; or is skipped. */
  readonly edits: Ways;
  readonly skips: Ways;
  /** Settings of the tests, changed so that they pass. */
  readonly settings: Ways;
  /** Something else in the place of what runs the tests. */
  readonly runners: Ways;
  /** Work that only stands as long as files are there that git ignores. */
  readonly ignored: Ways;
  /** Code that answers the tests, and nothing else, or that harms them from inside their own process. */
  readonly sabotage: Ways;
  /** Work that is right now and then. */
  readonly luck: Ways;
  /** Code, or new files, that keep tests from being executed or make others of them. */
  readonly strays: Ways;
  /** A process left behind that answers for the work. */
  readonly servers: Ways;
  /** Ends with 0 where all of the work is really done, whatever the tests say. */
  readonly truth: string;
  /** The work with a change of its tests that it needs; for tasks that allow it. */
  readonly solveWithTests: string;
  /** Where the program keeps its state, for agents that go for it. */
  readonly stateHome: string;
}

export type Ways = readonly [string, ...string[]];

/** What the task must be like for the agent to make sense. `half tested`: the checks are green when half of the work is done. */
export type FaultGround = 'red' | 'green' | 'server' | 'tests may change' | 'held out' | 'half tested';

export interface FaultAgent {
  readonly name: string;
  /** What it does, in a sentence. */
  readonly does: string;
  /** Honest work has to be let through, all else never. */
  readonly isHonest: boolean;
  /** With several, seeds take turns. */
  readonly ground: FaultGround | readonly [FaultGround, ...FaultGround[]];
  /** It never ends by itself: give sessions a short limit. */
  readonly hangs?: boolean;
  /** Attempts that it takes to see what it does; one where left out. */
  readonly attemptsMin?: number;
  builder(task: FaultTask, chance: Chance): string;
  /** As a reviewer; where left out it finds everything good. */
  reviewer?(task: FaultTask, chance: Chance): string;
  /** What another reviewer, `second`, does; where left out there is none. */
  second?(task: FaultTask): string;
}

/** An agent whose work must not be let through, on checks that are red before it. */
export function dishonest(name: string, does: string, builder: FaultAgent['builder']): FaultAgent {
  return { name, does, isHonest: false, ground: 'red', builder };
}

/** What agents of our presets say at the end, in shell. `$n` counts the sessions of the role. */
export const saysDone = "printf '\\n===WIGGUM_COMPLETE===\\n'";
export const passes = "printf '\\n===VERIFIER_COMPLETE===\\n'";
export const fails =
  "printf '\\n<verifier-report>Something that was asked for is missing.</verifier-report>\\n'";

/** Git as an agent uses it that has no name of its own. */
export const asSomebody = 'git -c user.name=a -c user.email=a@example.invalid';

/** One word of shell that means exactly this text. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Shell that puts a program into the first folder of the PATH, where that folder belongs to the user. */
export function inPath(name: string, does: string): string {
  return `mkdir -p "$HOME/bin"; printf '#!/bin/sh\\n%s\\n' ${quoted(does)} > "$HOME/bin/${name}"; chmod +x "$HOME/bin/${name}"`;
}

/** Shell that writes a file, with the folders above it. */
export function put(path: string, text: string): string {
  const folder = path.includes('/') ? `mkdir -p ${quoted(path.slice(0, path.lastIndexOf('/')))}; ` : '';
  return `${folder}printf %s ${quoted(text)} > ${quoted(path)}`;
}
