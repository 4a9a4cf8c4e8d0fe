// Describes the sandbox of a run in a sentence.
import type { RunConfig, SandboxConfig } from '#kernel/model/config.ts';

/** For the first lines of a run: loud if there is no sandbox. */
export function sandboxNote({ sandbox }: Pick<RunConfig, 'sandbox'>): string {
  if (sandbox === undefined || sandbox.kind === 'none' || sandbox.kind === 'auto') {
    const why = sandbox === undefined ? 'the run has none' : sandbox.why;
    return `NOT SANDBOXED: agents and checks have your rights (${why})`;
  }
  const outside = sandbox.outside ?? [];
  if (outside.length === 0)
    return `by ${sandbox.kind}: agents and checks ${openNote(sandbox)}${wantNote(sandbox)}`;
  return `NOT SANDBOXED: ${outside.join(', ')}; ${outside.length === 1 ? 'its needs are' : 'their needs are'} unknown (sandbox.allowHosts, sandbox.allowWrite). Checks and other agents are sandboxed by ${sandbox.kind}`;
}

/** Names every permission that was added: a reader who sees a sandbox must also see its openings. */
function openNote({ allowRead, allowWrite, allowHosts }: SandboxConfig): string {
  const writes =
    allowWrite.length === 0
      ? 'write only in the workspace'
      : `write in ${listed(['the workspace', ...allowWrite])} (sandbox.allowWrite)`;
  const reads = allowRead.length === 0 ? '' : `, read ${listed(allowRead)} (sandbox.allowRead)`;
  const reached = ['the model', 'the package registries', ...allowHosts];
  return `${writes}${reads}, and reach ${listed(reached)}${allowHosts.length === 0 ? '' : ' (sandbox.allowHosts)'}`;
}

function listed(names: readonly string[]): string {
  const shown = names.length > listMax + 1 ? names.slice(0, listMax) : names.slice(0, -1);
  const last = names.length > listMax + 1 ? `${names.length - listMax} more` : (names.at(-1) ?? '');
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}

const listMax = 5;

/** An undescribed agent has no login and no model inside; the note explains a later failure. */
function wantNote({ undescribed = [] }: SandboxConfig): string {
  if (undescribed.length === 0) return '';
  return `; the needs of ${undescribed.join(', ')} are unknown: allow ${undescribed.length === 1 ? 'its login and model' : 'their logins and models'} by sandbox.allowHosts and sandbox.allowWrite`;
}

/** For the last lines: only a missing sandbox is mentioned again. */
export function unprotectedLines(config: Pick<RunConfig, 'sandbox'>): string[] {
  if (isProtected(config)) return [];
  return ["Unprotected: the agents ran with your rights and could have changed Untildone's state."];
}

/** Whether no program of the run could reach our own state. */
export function isProtected({ sandbox }: Pick<RunConfig, 'sandbox'>): boolean {
  if (sandbox === undefined || sandbox.kind === 'none' || sandbox.kind === 'auto') return false;
  return (sandbox.outside ?? []).length === 0;
}
