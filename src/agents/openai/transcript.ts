// Stores the conversation line by line, outside the workspace, so that a session can be resumed by its id.
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forgetOld, stateFolder, type Environment } from '#agents/shared/state-folder.ts';
import type { Message } from './chat.ts';
import { parseRecord } from '#base/parse-json.ts';

export interface Transcript {
  readonly id: string;
  /** The messages of the resumed session; empty for a new one. */
  readonly before: readonly Message[];
  add(message: Message): Promise<void>;
}

/** Null if there is no conversation `resume`, or none any more. */
export async function openTranscript(env: Environment, resume: string | null): Promise<Transcript | null> {
  const folder = stateFolder(env, 'transcripts');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const id = resume ?? randomUUID();
  const file = join(folder, `${id}.jsonl`);
  const text = resume === null ? '' : await readText(file, resume);
  const before = text.split('\n').flatMap(messageIn);
  if (resume !== null && before.length === 0) return null;
  // The next message gets its own line, even if a crash cut the last one short.
  if (text !== '' && !text.endsWith('\n')) await appendFile(file, '\n');
  if (resume === null) await forgetOld(folder);
  return {
    id,
    before,
    add: (message) => appendFile(file, `${JSON.stringify(message)}\n`, { mode: 0o600 }),
  };
}

async function readText(file: string, id: string): Promise<string> {
  return /^[\w-]+$/.test(id) ? readFile(file, 'utf8').catch(() => '') : '';
}

/** A crash may tear the last line; only that message is lost. */
function messageIn(line: string): Message[] {
  const value = parseRecord(line);
  return typeof value?.['role'] === 'string' ? [value as unknown as Message] : [];
}
