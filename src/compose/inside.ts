// Who asks: a person, or an agent through a process that it started. Seen in the processes above us, as they were started.
import { ancestorsOf } from '#adapters/processes/ancestors.ts';
import type { Ancestor } from '#adapters/processes/ancestors.ts';
import { markVariable } from '#adapters/processes/proc-table.ts';

type Given = { readonly [name: string]: string | undefined };

/** The run and step that this process, or one above it that can be seen, was started by; null when there is none. */
export function markAbove(env: Given): string | null {
  const own = env[markVariable] ?? '';
  if (own !== '') return own;
  for (const { env: above } of ancestorsOf(process.ppid)) {
    const mark = above.get(markVariable);
    if (mark !== undefined && mark !== '') return mark;
  }
  return null;
}

/** The interactive sessions whose tools this process was started by, and the processes that may be their clients. */
export function sessionsAbove(env: Given): { readonly ids: string[]; readonly pids: number[] } {
  const above = ancestorsOf(process.ppid);
  const ids = [env[sessionVariable], ...above.map((one) => one.env.get(sessionVariable))];
  return {
    ids: [...new Set(ids.filter((id): id is string => id !== undefined && id !== ''))],
    pids: above.map(({ pid }) => pid),
  };
}

/**
 * The client whose own plugin hook this process is, with no agent's tool anywhere above; null when that cannot be seen.
 * A hook that answers to what was typed is started by the client itself; an agent can forge its input, its environment and
 * its name, but not who started the process at the top of its tool call.
 */
export function clientOfHook(above: readonly Ancestor[] = ancestorsOf(process.pid)): number | null {
  if (above.some(({ env }) => (env.get(markVariable) ?? '') !== '')) return null;
  const top = above.findLastIndex(({ env }) => env.has('CLAUDECODE'));
  const hook = above[top];
  const client = above[top + 1];
  if (hook === undefined || client === undefined) return null;
  const isHook = hook.env.has('CLAUDE_PLUGIN_ROOT') && !client.env.has('CLAUDE_PLUGIN_ROOT');
  const isTool = (hook.env.get('AI_AGENT') ?? '').endsWith('_agent');
  return isHook && !isTool ? client.pid : null;
}

const sessionVariable = 'CLAUDE_CODE_SESSION_ID';
