// Stores the drivers' data of a conversation between its sessions: outside the workspace, for two weeks.
import { readdir, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Environment = { readonly [name: string]: string | undefined };

/** No conversation is continued after this time. */
const keptMs = 14 * 86_400_000;

export function stateFolder(env: Environment, kind: 'transcripts' | 'counters'): string {
  const state = env['XDG_STATE_HOME'] ?? join(env['HOME'] ?? homedir(), '.local', 'state');
  return join(state, 'untildone', kind);
}

export async function forgetOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > keptMs) await rm(file, { force: true });
  }
}
