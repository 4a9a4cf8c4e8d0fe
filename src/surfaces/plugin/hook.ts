// What the client hands to a hook, and what the hook says to it.
import { parseRecord } from '#base/record.ts';

/** As far as we look at it. It comes from outside: nothing is believed but its shape. */
export interface HookInput {
  readonly sessionId: string;
  readonly cwd: string;
  readonly prompt: string;
  /** Set for the end of a subagent. */
  readonly agentType: string;
  /** The session goes on only because its end was refused before. */
  readonly isHeld: boolean;
  readonly toolInput: string;
}

/** Longer ones are pasted files; none of our commands is in them. */
const inputMax = 4_000_000;

export async function readHookInput(stream: AsyncIterable<Buffer | string>): Promise<HookInput | null> {
  let text = '';
  for await (const part of stream) {
    text += String(part);
    if (text.length > inputMax) return null;
  }
  return parseHookInput(text);
}

export function parseHookInput(text: string): HookInput | null {
  const fields = parseRecord(text);
  if (fields === null) return null;
  const word = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  if (word('session_id') === '') return null;
  return {
    sessionId: word('session_id'),
    cwd: word('cwd'),
    prompt: word('prompt'),
    agentType: word('agent_type'),
    isHeld: fields['stop_hook_active'] === true,
    toolInput: JSON.stringify(fields['tool_input'] ?? null),
  };
}

/** The client that started this hook, as it says itself; it is only asked whether that process is still there. */
export function clientPid(): number | null {
  const said = Number(process.env['CLAUDE_PID'] ?? '');
  if (Number.isInteger(said) && said > 1) return said;
  return process.ppid > 1 ? process.ppid : null;
}

export type HookAnswer = { readonly [field: string]: unknown };

/** Not ours, or nothing to say: the client does what it would do anyway. */
export const silence: HookAnswer = {};

export function note(text: string): HookAnswer {
  return text === '' ? silence : { systemMessage: `untildone: ${text}` };
}

export function block(reason: string): HookAnswer {
  return { decision: 'block', reason };
}
