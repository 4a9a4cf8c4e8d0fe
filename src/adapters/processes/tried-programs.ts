// Programs that were tried on this machine. A session host gets what its driver found, and tries none again.

export interface TriedPrograms {
  /** The path of a program that works; null for one that does not. */
  readonly [trial: string]: string | null;
}

const tried = new Map<string, string | null>();

/** Contract: `attempt` is called once per process, for each trial that is not known. */
export function tryOnce(trial: string, attempt: () => string | null): string | null {
  const known = tried.get(trial);
  if (known !== undefined) return known;
  const found = attempt();
  tried.set(trial, found);
  return found;
}

export function triedPrograms(): TriedPrograms {
  return Object.fromEntries(tried);
}

/** Contract: `programs` were tried by another process of this machine with the same PATH. */
export function rememberTried(programs: TriedPrograms): void {
  for (const [trial, found] of Object.entries(programs)) tried.set(trial, found);
}
