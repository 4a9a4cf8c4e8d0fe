// Skips the user's ignore or attributes file if it is a pipe: git opens both in every call and would block.
// An agent without a sandbox can put a pipe there, and it is not ours to remove.
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const names = { 'core.excludesfile': 'ignore', 'core.attributesfile': 'attributes' } as const;

/** `configured`: pairs of name and path from git. Returns settings of the form `key=value`. */
export function settingsWithoutPipes(
  configured: readonly (readonly [string, string])[],
  { env, cwd }: { readonly env: { readonly [name: string]: string | undefined }; readonly cwd: string },
): string[] {
  const config = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? homedir(), '.config');
  return Object.entries(names).flatMap(([key, usual]) => {
    const set = configured.findLast(([name]) => name === key)?.[1];
    const path = set === undefined ? join(config, 'git', usual) : resolve(cwd, set);
    return mayHang(path) ? [`${key}=/dev/null`] : [];
  });
}

/** False for a folder or a missing file: git does not block on them. */
export function mayHang(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}
