// Finds files that run on the user's machine after landing, by an editor, a shell, git or an agent. Pure.
import type { RunsAfterLanding } from '#kernel/model/after-landing.ts';

/** Any folder, because editors open any; any case, as in some file systems. What runs unasked comes first. */
const starters: readonly (readonly [RegExp, string])[] = [
  [named(String.raw`\.envrc`), 'direnv runs it when a shell enters the folder'],
  [named(String.raw`(\.husky|\.githooks)/.+`), 'git runs it as a hook'],
  [
    named(String.raw`\.?lefthook[^/]*\.(ya?ml|toml|json)|\.pre-commit-config\.yaml`),
    'says what git hooks run',
  ],
  [
    named(String.raw`\.vscode/(tasks|settings|launch|mcp)\.json|[^/]+\.code-workspace`),
    'VS Code runs what it names',
  ],
  [
    named(String.raw`\.devcontainer\.json|devcontainer\.json|\.devcontainer/.+`),
    'editors build and run the container',
  ],
  [
    named(String.raw`\.idea/(runConfigurations/.+|workspace\.xml)|\.run/.+\.xml`),
    'JetBrains editors run what it names',
  ],
  [named(String.raw`\.zed/(tasks|settings|debug)\.json`), 'Zed runs what it names'],
  [
    named(String.raw`\.?mise(\.[^/]+)?\.toml|\.?mise/.+|\.config/mise(/.+|\.toml)|\.tool-versions`),
    'mise or asdf runs or installs what it names',
  ],
  [
    named(String.raw`\.claude/(settings[^/]*\.json|hooks/.+)|\.mcp\.json`),
    'Claude Code runs the hooks and servers that it names',
  ],
  [named(String.raw`\.cursor/.+`), 'Cursor runs or follows what it says'],
];

/** A link instead of such a folder brings all of its files. */
const folders = named(
  String.raw`\.(husky|githooks|vscode|devcontainer|idea|run|zed|mise|claude|cursor)|\.idea/runConfigurations`,
);

export interface ChangedEntries {
  /** Path to mode and object, in the tree that the work began with and in the tree that lands. */
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
  /** The folder in `core.hooksPath`, from the root of the repository; null for none inside. */
  readonly hooksFolder: string | null;
}

export function runsAfterLanding({ before, after, hooksFolder }: ChangedEntries): RunsAfterLanding[] {
  const found = [...after].flatMap(([path, entry]) => {
    const old = before.get(path);
    if (old === entry) return [];
    const rank = rankOf(path, entry, hooksFolder);
    const change = old === undefined ? ('added' as const) : ('changed' as const);
    return rank === null ? [] : [{ rank: rank.place, path, change, why: rank.why }];
  });
  return found.toSorted((a, b) => a.rank - b.rank).map(({ path, change, why }) => ({ path, change, why }));
}

function rankOf(
  path: string,
  entry: string,
  hooksFolder: string | null,
): { place: number; why: string } | null {
  if (hooksFolder !== null && (path === hooksFolder || path.startsWith(`${hooksFolder}/`)))
    return { place: 0, why: 'git runs it as a hook (core.hooksPath)' };
  const place = starters.findIndex(([pattern]) => pattern.test(path));
  const why = starters[place]?.[1];
  if (why !== undefined) return { place, why };
  const isLink = /^1[26]0000 /.test(entry);
  return isLink && folders.test(path) ? { place: 0, why: 'is a link in the place of such a folder' } : null;
}

function named(names: string): RegExp {
  return new RegExp(`(^|/)(${names})$`, 'i');
}
