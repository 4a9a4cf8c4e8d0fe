// What was said, line by line, outside the workspace: the way back into a session by its id.
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '#ports/operator-error.ts';
import type { Message } from './chat.ts';
import { isObject } from './chat.ts';

export interface Transcript {
  readonly id: string;
  /** Of the session that goes on; empty for a new one. */
  readonly before: readonly Message[];
  add(message: Message): Promise<void>;
}

/** Nobody goes on with a session after so long. */
const keptMs = 14 * 86_400_000;

type Environment = { readonly [name: string]: string | undefined };

export async function openTranscript(env: Environment, resume: string | null): Promise<Transcript> {
  const folder = folderOf(env);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const id = resume ?? randomUUID();
  const file = join(folder, `${id}.jsonl`);
  const before = resume === null ? [] : await readMessages(file, resume);
  if (resume === null) await forgetOld(folder);
  return {
    id,
    before,
    add: (message) => appendFile(file, `${JSON.stringify(message)}\n`, { mode: 0o600 }),
  };
}

function folderOf(env: Environment): string {
  const state = env['XDG_STATE_HOME'] ?? join(env['HOME'] ?? homedir(), '.local', 'state');
  return join(state, 'untildone', 'transcripts');
}

async function readMessages(file: string, id: string): Promise<Message[]> {
  const text = /^[\w-]+$/.test(id) ? await readFile(file, 'utf8').catch(() => null) : null;
  const messages = (text ?? '').split('\n').flatMap(messageIn);
  if (messages.length > 0) return messages;
  throw new OperatorError('no-such-session', `There is no session ${id} to resume.`, 'Start a new one.');
}

/** The last line may be torn by a crash; what it said is lost, the rest is not. */
function messageIn(line: string): Message[] {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && typeof value['role'] === 'string' ? [value as unknown as Message] : [];
  } catch {
    return [];
  }
}

async function forgetOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > keptMs) await rm(file, { force: true });
  }
}
