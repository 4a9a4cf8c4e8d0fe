// How a check's command line is started, so that no pipe can hide a failure.

export interface ShellCommand {
  readonly command: string | readonly [string, ...string[]];
  /** False when a failing program before a pipe would go unseen: then exit 0 says nothing. */
  readonly isTelling: boolean;
}

export interface ShellPlace {
  readonly hasBash: boolean;
  readonly platform: string;
  /** Which look at the same files, from 1. */
  readonly look: number;
}

export function shellCommand(run: string, { hasBash, platform, look }: ShellPlace): ShellCommand {
  if (platform === 'win32') return { command: run, isTelling: !hasPipe(run) };
  const line = withOtherIds(run, look);
  if (!hasPipe(run)) return { command: ['sh', '-c', line], isTelling: true };
  if (!hasBash) return { command: ['sh', '-c', line], isTelling: false };
  return { command: ['bash', '-o', 'pipefail', '-c', line], isTelling: true };
}

/** In a pid namespace every look would get the same process ids, and work that is right by such an id would always be lucky. */
function withOtherIds(run: string, look: number): string {
  return look <= 1 ? run : `${'(:);'.repeat(look - 1)}\n${run}`;
}

/** A `|` that is not `||`. One inside quotes counts too: bash runs such a command just as well. */
function hasPipe(run: string): boolean {
  return /(?<!\|)\|(?!\|)/.test(run);
}
