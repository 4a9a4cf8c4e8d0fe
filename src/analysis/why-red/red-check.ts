// The known facts about a check that is red before the work. Pure.

export interface RedCheck {
  readonly command: string;
  /** The folder of the check, relative to the root of the repository. */
  readonly folder: string;
  readonly output: string;
  /** Null if the program did not exit by itself. */
  readonly exitCode: number | null;
  /** Paths of all files of the base, relative to its root. */
  readonly files: ReadonlySet<string>;
  /** Path to text of the files that declare dependencies, or names for imports between files. */
  readonly manifests: ReadonlyMap<string, string>;
}

export function manifestsNamed({ manifests }: RedCheck, name: RegExp): (readonly [string, string])[] {
  return [...manifests].filter(([path]) => name.test(path.slice(path.lastIndexOf('/') + 1)));
}

const matchesMax = 200;

/** The first group of every match, each once. */
export function allOf(output: string, pattern: RegExp): string[] {
  const found = new Set<string>();
  for (const match of output.matchAll(pattern)) {
    const word = match.slice(1).find((group) => group !== undefined);
    if (word !== undefined) found.add(word);
    if (found.size >= matchesMax) break;
  }
  return [...found];
}

/** Whether the repository has a folder of this name, or such a file with one of the endings. */
export function isInRepository({ files }: RedCheck, name: string, endings: readonly string[]): boolean {
  for (const path of files) {
    const whole = `/${path}`;
    if (whole.includes(`/${name}/`) || endings.some((ending) => whole.endsWith(`/${name}${ending}`)))
      return true;
  }
  return false;
}

/** The check's path, from its folder, as a path from the root of the repository. */
export function inRepository(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/'))
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  return parts.join('/');
}
