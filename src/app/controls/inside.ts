// Distinguishes a person from an agent that asks through its own processes, by their ancestors.
import { readlinkSync } from 'node:fs';
import { type Ancestor, ancestorsOf, findAncestors } from '#adapters/processes/ancestors.ts';
import { hasOwnRunMarker, hasRunMarker } from '#adapters/processes/run-marker.ts';
import { markVariable } from '#adapters/processes/proc-table.ts';
import { mcpSocketVariable } from '#adapters/sandbox/mcp-socket.ts';

export { hasOwnRunMarker } from '#adapters/processes/run-marker.ts';

type Environment = { readonly [name: string]: string | undefined };

/**
 * The run and step that started this process or a visible ancestor; null if there is none.
 * The outermost mark counts: an agent sets the environment of its children, never that of its own client.
 */
export function markAbove(env: Environment): string | null {
  const own = env[markVariable] ?? '';
  const above = ancestorsOf(process.ppid).map((one) => one.env.get(markVariable) ?? '');
  return [own, ...above].findLast((mark) => mark !== '') ?? null;
}

/** The MCP socket through which a sandboxed process asks about its run; null outside a sandbox. */
export function mcpSocketAbove(env: Environment): string | null {
  const above = (): string | undefined =>
    ancestorsOf(process.ppid)
      .map((one) => one.env.get(mcpSocketVariable))
      .find((socket) => socket !== undefined && socket !== '');
  const own = env[mcpSocketVariable] ?? '';
  return own === '' ? (above() ?? null) : own;
}

function markIn(above: readonly Ancestor[]): string | null {
  return above.map(({ env }) => env.get(markVariable) ?? '').find((mark) => mark !== '') ?? null;
}

/** Interactive sessions whose tools started this process, and the processes that may be their clients. */
export function sessionsAbove(env: Environment): { readonly ids: string[]; readonly pids: number[] } {
  const above = ancestorsOf(process.ppid);
  const own = env[sessionVariable] ?? '';
  return {
    ids: [...new Set([...(own === '' ? [] : [own]), ...sessionsIn(above)])],
    pids: above.map(({ pid }) => pid),
  };
}

function sessionsIn(above: readonly Ancestor[]): string[] {
  return above.map(({ env }) => env.get(sessionVariable) ?? '').filter((id) => id !== '');
}

/** How a driver recognises processes whose decisions it must refuse. */
export interface Inside {
  /** The driver itself: everything it started works for the run. */
  readonly driver: number;
  /** Whether a run waits for this interactive session. */
  readonly isLinked: (sessionId: string) => boolean;
}

/** Why a living process may not decide for a run; null if nothing speaks against it. */
export async function whyNoPerson(pid: number, inside: Inside): Promise<string | null> {
  const isOther = pid !== process.pid;
  if (isOther && namespaceOf(pid) !== namespaceOf(process.pid))
    return 'the request came from a process in its own pid namespace, as agents of a run are';
  if (isOther ? hasRunMarker(pid) : hasOwnRunMarker())
    return 'the request came from a process that descends from a run and hides its origin, and an agent may not control its own run';
  return whyInside(await findAncestors(pid), inside);
}

/** `above`: nearest first, beginning with the process itself. */
export function whyInside(above: readonly Ancestor[], { driver, isLinked }: Inside): string | null {
  const mark = markIn(above);
  if (mark !== null)
    return `the request came from a process of run ${mark.split('/')[0] ?? ''}, and an agent may not control its own run`;
  if (above.some(({ isHidden }) => isHidden === true))
    return 'the request came from a process whose environment cannot be read, and an agent may not control its own run';
  if (above.slice(1).some(({ pid }) => pid === driver))
    return 'the request came from a process of this run, and an agent may not control its own run';
  if (sessionsIn(above).some(isLinked) && clientOfHook(above) === null)
    return 'the request came from inside the interactive session that the run waits for';
  return null;
}

/** Null if the system does not show it. */
function namespaceOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null;
  }
}

/**
 * The client whose own plugin hook this process is, with no agent's tool above it; null if not certain.
 * The client itself starts a hook for typed input. An agent can forge its input, its environment and
 * its name, but not the parent of the process at the top of its tool call.
 */
export function clientOfHook(above: readonly Ancestor[] = ancestorsOf(process.pid)): number | null {
  if (markIn(above) !== null) return null;
  const top = above.findLastIndex(({ env }) => env.has('CLAUDECODE'));
  const hook = above[top];
  const client = above[top + 1];
  if (hook === undefined || client === undefined) return null;
  const isHook = hook.env.has('CLAUDE_PLUGIN_ROOT') && !client.env.has('CLAUDE_PLUGIN_ROOT');
  const isTool = (hook.env.get('AI_AGENT') ?? '').endsWith('_agent');
  return isHook && !isTool ? client.pid : null;
}

const sessionVariable = 'CLAUDE_CODE_SESSION_ID';
