import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where state outside any repository is kept. */
export function stateHome(env: { readonly [name: string]: string | undefined }): string {
  const given = env['XDG_STATE_HOME'];
  return given !== undefined && given !== '' ? given : join(env['HOME'] ?? homedir(), '.local', 'state');
}
