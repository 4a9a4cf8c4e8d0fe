// How a system finds a program by its name. The system is a parameter: each can be tested on any.

export interface SearchPath {
  readonly folders: readonly string[];
  /** What the file of a program may end with, in the order in which the system tries it. */
  readonly endings: readonly string[];
}

const usualFolders: { readonly [platform: string]: readonly string[] | undefined } = {
  win32: ['C:\\Windows\\System32', 'C:\\Windows'],
};
const otherFolders = ['/usr/local/bin', '/usr/bin', '/bin'];

/** The folders of `PATH`, or the usual ones where it is not set. An empty entry of it stays empty: the current folder. */
export function searchPathOf(
  env: { readonly [name: string]: string | undefined },
  platform: string,
): SearchPath {
  const given = variableOf(env, 'PATH', platform);
  const folders = given?.split(platform === 'win32' ? ';' : ':') ?? usualFolders[platform] ?? otherFolders;
  return { folders, endings: platform === 'win32' ? endingsOf(env, platform) : [''] };
}

/** Windows takes `Path` and `PATH` for the same; a copy of its environment does not. */
function variableOf(
  env: { readonly [name: string]: string | undefined },
  name: string,
  platform: string,
): string | undefined {
  if (platform !== 'win32') return env[name];
  const found = Object.keys(env).find((one) => one.toUpperCase() === name);
  return found === undefined ? undefined : env[found];
}

function endingsOf(env: { readonly [name: string]: string | undefined }, platform: string): string[] {
  const given = variableOf(env, 'PATHEXT', platform) ?? '.COM;.EXE;.BAT;.CMD';
  return ['', ...given.split(';').filter((ending) => ending !== '')];
}

/** A path is not searched for. */
export function isPathOfProgram(name: string, platform: string): boolean {
  return name.includes('/') || (platform === 'win32' && name.includes('\\'));
}
