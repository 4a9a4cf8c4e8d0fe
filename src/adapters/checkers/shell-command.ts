// How a check's command line is started, so that no pipe can hide a failure.

export interface ShellCommand {
  readonly command: string | readonly [string, ...string[]];
  /** False when a failing program before a pipe would go unseen: then exit 0 says nothing. */
  readonly isTelling: boolean;
}

export function shellCommand(run: string, hasBash: boolean, platform: string): ShellCommand {
  if (platform === 'win32') return { command: run, isTelling: !hasPipe(run) };
  if (!hasPipe(run)) return { command: ['sh', '-c', run], isTelling: true };
  if (!hasBash) return { command: ['sh', '-c', run], isTelling: false };
  return { command: ['bash', '-o', 'pipefail', '-c', run], isTelling: true };
}

/** A `|` that is not `||`. One inside quotes counts too: bash runs such a command just as well. */
function hasPipe(run: string): boolean {
  return /(?<!\|)\|(?!\|)/.test(run);
}
