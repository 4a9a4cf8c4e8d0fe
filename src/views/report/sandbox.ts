// Whether the agents and checks of a run were shut in, in a sentence.
import type { RunConfig, SandboxConfig } from '#kernel/model/config.ts';

/** For the first lines of a run: loud where there is none. */
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

/** What somebody opened is named: whoever reads of a wall must see the doors in it. */
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

/** An agent that nobody described has no login and no model inside; whoever finds it failed in the morning should see why. */
function wantNote({ undescribed = [] }: SandboxConfig): string {
  if (undescribed.length === 0) return '';
  return `; the needs of ${undescribed.join(', ')} are unknown: allow ${undescribed.length === 1 ? 'its login and model' : 'their logins and models'} by sandbox.allowHosts and sandbox.allowWrite`;
}

/** For the last ones: only a missing sandbox is worth a second word. */
export function unprotectedLines(config: Pick<RunConfig, 'sandbox'>): string[] {
  if (isProtected(config)) return [];
  return ["Unprotected: the agents ran with your rights and could have changed Untildone's state."];
}

/** Whether nothing of the run could have reached our own state. */
export function isProtected({ sandbox }: Pick<RunConfig, 'sandbox'>): boolean {
  if (sandbox === undefined || sandbox.kind === 'none' || sandbox.kind === 'auto') return false;
  return (sandbox.outside ?? []).length === 0;
}
