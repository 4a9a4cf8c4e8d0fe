// Moves the folder for temporary files if the codex home is below it: codex would refuse to work there.
import { access, constants, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { isWithin } from '#base/is-within.ts';
import { OperatorError } from '#base/operator-error.ts';

export interface CodexEnvironment {
  readonly env: { readonly [name: string]: string };
  /** The change, for the log; null if there was none. */
  readonly notice: string | null;
}

const otherPlaces = ['/tmp', '/var/tmp', '/dev/shm'];

export async function codexEnvironment(env: CodexEnvironment['env']): Promise<CodexEnvironment> {
  if (process.platform === 'win32') return { env, notice: null };
  const home = await real(env['CODEX_HOME'] ?? join(env['HOME'] ?? homedir(), '.codex'));
  const temporary = env['TMPDIR'] ?? '/tmp';
  if (!isWithin(home, await real(temporary))) return { env, notice: null };
  for (const place of otherPlaces) {
    if (isWithin(home, await real(place)) || !(await isWritable(place))) continue;
    const notice = `codex keeps its home (${home}) below ${temporary}; TMPDIR is ${place} for this session.`;
    return { env: { ...env, TMPDIR: place }, notice };
  }
  throw new OperatorError(
    'codex-home-below-tmp',
    `Codex does not work with its home below the folder for temporary files: ${home} lies below ${temporary}.`,
    'Set CODEX_HOME to a folder elsewhere, or TMPDIR to another folder.',
  );
}

/** The real path of the existing part: a missing folder is resolved through its parent. */
async function real(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = join(path, '..');
    return parent === path ? path : join(await real(parent), path.slice(path.lastIndexOf(sep) + 1));
  }
}

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}
