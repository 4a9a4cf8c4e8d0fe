// Types for the ways in which a repository is tested, checked, built and started.

export interface Gate {
  readonly gate: 'tests' | 'lint' | 'types' | 'build';
  readonly run: string;
  /** How sure we are that the repository's developers would run this, from 0 to 1. */
  readonly confidence: number;
  /** As the end of a sentence: "package.json has the script test". */
  readonly why: string;
}

export interface Ways {
  /** The best of each kind first. */
  readonly gates: readonly Gate[];
  /** Starts the server or the page on the port in PORT; null if no file says how. */
  readonly serve: string | null;
  /** Commands that the repository itself provides. */
  readonly programs: readonly string[];
  /** Has a page that a browser could show. */
  readonly hasPages: boolean;
}

/** The root of a repository (or of the folder where a run starts), as data. */
export interface Root {
  readonly files: ReadonlySet<string>;
  /** Text of a root file; '' when there is none. */
  text(path: string): string;
}

export const noWays: Ways = { gates: [], serve: null, programs: [], hasPages: false };

/** Highest if a person wrote it under that name, lower if it is only the custom of the language. */
export const sure = { written: 0.95, configured: 0.9, customary: 0.85, likely: 0.75, guessed: 0.6 } as const;

export function gate(kind: Gate['gate'], run: string, confidence: number, why: string): Gate {
  return { gate: kind, run, confidence, why };
}
