// What every kind of check is given to look with.
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
  /** Whether the logs are removed as soon as the run has shown what its checks say: no text names them. */
  readonly removesLogs?: boolean;
  /** The whole environment of every check; variables of ours are taken out of it. */
  readonly env: { readonly [name: string]: string };
  readonly redactor: Redactor;
  /** When the run began: whatever has listened on this machine since before then is nobody's leftover. */
  readonly since: number;
  /** Where held-out checks are kept; absent where there are none. */
  readonly heldOut?: {
    read(id: string): Promise<string | null>;
    /** Their logs: a folder of the authority, never one that a session can be shown. */
    readonly logsDir: string;
  };
  readonly browser: {
    /** The program that drives a browser for one check. */
    readonly entry: string;
    /** As the user set it; null leaves us to look for one. */
    readonly chromePath: string | null;
    /** Where else packages of the user are. */
    readonly nodePath: string;
  };
}

/** A finding before it is timed. */
export type UntimedFinding = Omit<Finding, 'durationMs'>;

/** Seen without a program: the reason is all there is to tell. */
export function seen(verdict: Finding['verdict'], reason: string, tail = ''): UntimedFinding {
  return { verdict, reason, ending: null, tail };
}

/** `onText` gets what the program prints, without secrets. */
export async function openCheckLog(
  { logsDir, redactor }: CheckTools,
  name: string,
  onText?: (text: string) => void,
): Promise<CheckLog> {
  await mkdir(logsDir, { recursive: true });
  return openLog(await open(join(logsDir, name), 'w'), redactor, checkLogCap(logsDir), onText);
}
