// Resolves a model's path to a place inside the workspace, or refuses it. Links are resolved first.
import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isWithin } from '#base/is-within.ts';
import { errorCode } from '#base/error-code.ts';

/** An error of the model; its message goes back to the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** The real path, with every link resolved; its last parts need not exist. */
export async function confinePath(root: string, path: string, purpose: 'read' | 'write'): Promise<string> {
  if (path.includes('\0')) throw new ToolError('The path holds a NUL character.');
  if (isAbsolute(path) || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('~')) {
    throw new ToolError(
      `"${path}" is absolute. Give the path relative to the root of the workspace; what lies elsewhere is reached by "run" alone.`,
    );
  }
  const top = await realpath(root);
  const wanted = resolve(top, path);
  refuseOutside(top, wanted, path);
  const real = await realPlace(wanted, path);
  refuseOutside(top, real, path);
  if (purpose === 'write') refuseGit(top, real);
  return real;
}

function refuseOutside(top: string, place: string, path: string): void {
  if (!isWithin(place, top)) {
    throw new ToolError(`"${path}" leads out of the workspace, which is not allowed.`);
  }
}

/** If the end of a path does not exist yet, its deepest existing part is resolved. */
async function realPlace(wanted: string, path: string): Promise<string> {
  try {
    return await realpath(wanted);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw new ToolError(`"${path}" cannot be reached (${codeOf(error)}).`);
  }
  const isLink = await lstat(wanted).then(
    () => true,
    () => false,
  );
  if (isLink) throw new ToolError(`"${path}" passes a link that leads nowhere.`);
  const parent = dirname(wanted);
  return join(await realPlace(parent, path), wanted.slice(parent.length).replace(/^[\\/]/, ''));
}

/** History and hooks are not part of the work. */
function refuseGit(top: string, place: string): void {
  const parts = relative(top, place).split(sep);
  if (parts.some((part) => part.toLowerCase() === '.git')) {
    throw new ToolError('What git keeps in .git is not yours to write.');
  }
}

export function codeOf(error: unknown): string {
  return errorCode(error) ?? String(error);
}
