// The dependencies that every kind of check gets.
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '#ports/checker.ts';
import type { Processes } from '#ports/processes.ts';
import type { Redactor } from '#ports/redactor.ts';
import { openLog, type CheckLog } from '#adapters/logs/check-log.ts';
import { checkLogCap } from '#adapters/logs/log-cap.ts';

export interface CheckTools {
  readonly processes: Processes;
  readonly logsDir: string;
  /** Whether the logs are deleted once the run has printed its checks; then no text may name them. */
  readonly removesLogs?: boolean;
  /** The whole environment of every check; our own variables are removed from it. */
  readonly env: { readonly [name: string]: string };
  readonly redactor: Redactor;
  /** When the run began. A listener older than that is no leftover of the run. */
  readonly since: number;
  /** Where held-out checks are kept; undefined when there are none. */
  readonly heldOut?: {
    read(id: string): Promise<string | null>;
    /** Their logs, in a folder of the authority that no session may see. */
    readonly logsDir: string;
  };
  readonly browser: {
    /** The program that drives a browser for one check. */
    readonly entry: string;
    /** As the user set it; null makes us search for one. */
    readonly chromePath: string | null;
    /** Further folders with the user's packages. */
    readonly nodePath: string;
  };
}

/** A finding before it is timed. */
export type UntimedFinding = Omit<Finding, 'durationMs'>;

/** A finding without a program: it has a reason and no ending. */
export function findingOf(verdict: Finding['verdict'], reason: string, tail = ''): UntimedFinding {
  return { verdict, reason, ending: null, tail };
}

/** `onText` receives the output of the program, without secrets. */
export async function openCheckLog(
  { logsDir, redactor }: CheckTools,
  name: string,
  onText?: (text: string) => void,
): Promise<CheckLog> {
  await mkdir(logsDir, { recursive: true });
  return openLog(await open(join(logsDir, name), 'w'), redactor, checkLogCap(logsDir), onText);
}
