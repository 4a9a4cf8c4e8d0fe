import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where state outside any repository is kept. */
export function stateHome(env: { readonly [name: string]: string | undefined }): string {
  const configured = env['XDG_STATE_HOME'];
  return configured !== undefined && configured !== ''
    ? configured
    : join(env['HOME'] ?? homedir(), '.local', 'state');
}
