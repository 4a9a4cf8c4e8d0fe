// The user's own ignore and attributes files, which git opens in every call. An agent without a sandbox can put a pipe in the place
// of one, and it is not ours to remove: git is told to read nothing there.
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const names = { 'core.excludesfile': 'ignore', 'core.attributesfile': 'attributes' } as const;

/** `configured` holds pairs of name and path, as git gives them. Returns settings of the form `key=value`. */
export function settingsWithoutPipes(
  configured: readonly (readonly [string, string])[],
  { env, cwd }: { readonly env: { readonly [name: string]: string | undefined }; readonly cwd: string },
): string[] {
  const config = env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? homedir(), '.config');
  return Object.entries(names).flatMap(([key, usual]) => {
    const set = configured.findLast(([name]) => name === key)?.[1];
    const path = set === undefined ? join(config, 'git', usual) : resolve(cwd, set);
    return mayHang(path) ? [`${key}=/dev/null`] : [];
  });
}

/** A folder or a missing file makes git wait for nothing. */
export function mayHang(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}
