// How a system finds a program by its name. The platform is a parameter, so tests can cover each.

export interface SearchPath {
  readonly folders: readonly string[];
  /** The endings that the system appends to a program's name, in the order in which it tries them. */
  readonly endings: readonly string[];
}

const usualFolders: { readonly [platform: string]: readonly string[] | undefined } = {
  win32: ['C:\\Windows\\System32', 'C:\\Windows'],
};
const otherFolders = ['/usr/local/bin', '/usr/bin', '/bin'];

/** The folders of `PATH`, or the usual ones if it is not set. An empty entry is the current folder. */
export function searchPathOf(
  env: { readonly [name: string]: string | undefined },
  platform: string,
): SearchPath {
  const value = variableOf(env, 'PATH', platform);
  const folders = value?.split(platform === 'win32' ? ';' : ':') ?? usualFolders[platform] ?? otherFolders;
  return { folders, endings: platform === 'win32' ? endingsOf(env, platform) : [''] };
}

/** Windows treats `Path` and `PATH` as the same variable; a copy of its environment does not. */
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
  const value = variableOf(env, 'PATHEXT', platform) ?? '.COM;.EXE;.BAT;.CMD';
  return ['', ...value.split(';').filter((ending) => ending !== '')];
}

/** A path is used as it is, not searched for in `PATH`. */
export function isPathOfProgram(name: string, platform: string): boolean {
  return name.includes('/') || (platform === 'win32' && name.includes('\\'));
}
