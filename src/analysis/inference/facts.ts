// The known facts about a repository when a sentence is read. Pure data, collected elsewhere.
import type { Ways } from '#analysis/ecosystems/gates/ways.ts';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';

export interface RepositoryFacts extends Ways {
  readonly files: readonly string[];
  /** At least those that the sentences name. */
  readonly symbols: readonly SymbolFact[];
  /** For each JSON file the paths of its keys: `compilerOptions.strict`. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** How long an inferred command may take. */
  readonly timeoutMs: number;
}

export interface SymbolFact {
  readonly name: string;
  readonly what: string;
  readonly isExported: boolean;
  readonly file: string;
}

/** The file that a person means by a path or by its last part; null if that is not certain. */
export function resolveFileName(path: string, { files }: RepositoryFacts): string | null {
  const plain = path.replace(/^\.\//, '');
  if (files.includes(plain) || path.startsWith('./')) return plain;
  if (plain.includes('/')) return longPath(plain, files);
  if (/^[A-Z]+$/.test(plain)) {
    // README, CHANGELOG: with any ending.
    const written = files.filter((file) => file.startsWith(`${plain}.`));
    if (written.length > 0) return written.length === 1 ? (written[0] ?? null) : null;
  }
  const named = files.filter((file) => file.endsWith(`/${plain}`));
  if (named.length === 1) return named[0] ?? null;
  // Only usual root files are called by name alone; for any other file the folder is missing.
  const isOfRoot =
    /^(?:[A-Z]{4,}(?:\.\w+)?|\.[\w.-]+|Dockerfile|Makefile|justfile|Procfile|Jenkinsfile|[\w-]+\.config\.\w+|(?:package|tsconfig[\w.-]*|biome)\.json|(?:docker-)?compose\.ya?ml)$/.test(
      plain,
    );
  return named.length === 0 && (isOfRoot || isRootFile(plain)) ? plain : null;
}

/** `routes/cart.ts` may be the end of a longer path: then it must be the end of exactly one. */
function longPath(path: string, files: readonly string[]): string | null {
  const first = path.slice(0, path.indexOf('/') + 1);
  const isInner =
    files.some((file) => file.includes(`/${first}`)) && !files.some((file) => file.startsWith(first));
  if (!isInner) return path;
  const ends = files.filter((file) => file.endsWith(`/${path}`));
  return ends.length === 1 ? (ends[0] ?? null) : null;
}

/** Tool files that are usually at the root. */
export const rootFiles = factsOf('programs').flatMap((each) => each.rootFiles ?? []);

function isRootFile(name: string): boolean {
  return rootFiles.some((file) => (typeof file === 'string' ? file === name : file.test(name)));
}
