// Finds the files of a repository that a command or a script may start. Pure.

/** The words of a text as paths, without a script's folder: `"$(dirname "$0")"/tests/run.sh`. */
export function pathsIn(text: string): string[] {
  const words = text.replace(/\$+\{?\w+\}?/g, '').split(/[\s;&|<>()`"'={},:@]+/);
  return words.map((word) => word.replace(/^[./]*\//, ''));
}

/** Files without a suffix, and shell scripts, that a text names. */
export function startedScripts(texts: readonly string[], paths: readonly string[]): string[] {
  const words = new Set(texts.flatMap(pathsIn));
  return paths.filter((path) => {
    if (!/(?:^|\/)[^/.]+(?:\.(?:sh|bash))?$/.test(path)) return false;
    const parts = path.split('/');
    return parts.some((_, at) => words.has(parts.slice(at).join('/')));
  });
}
