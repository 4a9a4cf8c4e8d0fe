// Facts about a driver, known without loading it: `<driver>/driver.ts`, listed in `agents/drivers.ts`.
import type { Agent, AgentSpec, Resumes } from '#ports/agent.ts';
import type { Abilities } from './client-facts.ts';

type Options = AgentSpec['options'];

export interface DriverFacts {
  /** Contract: loads the driver on call. `player` is the command by which this program plays a script. */
  create(options: Options, player: readonly [string, ...string[]]): Promise<Agent>;
  /** The form `--agent DRIVER:…`; null if there is none. */
  readonly inline: {
    readonly example: string;
    options(rest: string, cwd: string): Options;
  } | null;
  /** Whether each session passes the model, so that the configuration may set it too. */
  readonly takesModel: boolean;
  /** Whether it continues a conversation by its client's own id, known before the start. */
  readonly resumes: Resumes;
  /** Its abilities with an unknown client. */
  readonly can: Abilities;
  /** The command whose first word must be on PATH; null if none, or if the driver checks it otherwise. */
  commandOf(options: Options): unknown;
  /** Contract: changes nothing; throws an OperatorError if the agent certainly cannot start here. */
  refuse?(beginning: Beginning): Promise<void>;
  /** Why its use costs nothing, if that is certain. */
  readonly whyFree: string | null;
  /** Our own program does the work, or calls the model from outside of a sandbox. */
  readonly needsNothing: boolean;
}

/** An agent before its run exists. */
export interface Beginning {
  readonly name: string;
  readonly options: Options;
  /** The environment of its client. */
  readonly env: { readonly [name: string]: string };
  /** Whether its client would run as root. */
  readonly isRoot: boolean;
  readonly isProgramHere: (program: string) => Promise<boolean>;
}

/** For a program that only takes a prompt. */
export const fewAbilities: Abilities = { resume: 'no', hears: 'never', cost: 'perhaps', sandbox: false };
