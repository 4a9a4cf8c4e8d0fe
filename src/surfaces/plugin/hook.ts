// The input that the client passes to a hook, and the hook's answer.
import { parseRecord } from '#base/parse-json.ts';

/** The fields that we read. It comes from outside: only its shape is trusted. */
export interface HookInput {
  readonly sessionId: string;
  readonly cwd: string;
  readonly prompt: string;
  /** Set if a subagent ends. */
  readonly agentType: string;
  /** The session continues only because its end was refused before. */
  readonly isHeld: boolean;
  readonly toolInput: string;
}

/** Longer prompts are pasted files; none of our commands is in them. */
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

/** The client that started this hook, by its own claim; used only to test whether that process is alive. */
export function clientPid(): number | null {
  const statedPid = Number(process.env['CLAUDE_PID'] ?? '');
  if (Number.isInteger(statedPid) && statedPid > 1) return statedPid;
  return process.ppid > 1 ? process.ppid : null;
}

export type HookAnswer = { readonly [field: string]: unknown };

/** Not our session, or no message: the client continues as usual. */
export const silence: HookAnswer = {};

export function note(text: string): HookAnswer {
  return text === '' ? silence : { systemMessage: `untildone: ${text}` };
}

export function block(reason: string): HookAnswer {
  return { decision: 'block', reason };
}
