// What is known of a driver without loading it. Each keeps its own in `<driver>/driver.ts`; `agents/drivers.ts` lists them.
import type { Agent, AgentSpec, Resumes } from '#ports/agent.ts';
import type { Abilities } from './client-facts.ts';

type Options = AgentSpec['options'];

export interface DriverFacts {
  /** Contract: loads the driver when it is called. `player` is how this very program plays a script instead. */
  create(options: Options, player: readonly [string, ...string[]]): Promise<Agent>;
  /** Of `--agent DRIVER:…`; null where there is no such form. */
  readonly inline: {
    readonly example: string;
    options(rest: string, cwd: string): Options;
  } | null;
  /** Whether it is told the model with each session, so that it may stand in its configuration too. */
  readonly takesModel: boolean;
  /** Whether it continues a conversation by its client's own id, known before it is started. */
  readonly resumes: Resumes;
  /** Where its client is none that we know. */
  readonly can: Abilities;
  /** The command whose first word must be on PATH; null where nothing can be missing, or where it is looked for otherwise. */
  commandOf(options: Options): unknown;
  /** Contract: changes nothing; throws an OperatorError for what certainly keeps the agent from beginning here. */
  refuse?(beginning: Beginning): Promise<void>;
  /** Why nobody pays for it, where that is certain. */
  readonly whyFree: string | null;
  /** Our own program does the work, or talks to the model from outside of a sandbox. */
  readonly needsNothing: boolean;
}

/** An agent before a run is made for it. */
export interface Beginning {
  readonly name: string;
  readonly options: Options;
  /** As its client gets it. */
  readonly env: { readonly [name: string]: string };
  /** Whether its client would work as root. */
  readonly isRoot: boolean;
  readonly isProgramHere: (program: string) => Promise<boolean>;
}

/** Of a program that only takes a prompt. */
export const fewAbilities: Abilities = { resume: 'no', hears: 'never', cost: 'perhaps', sandbox: false };
