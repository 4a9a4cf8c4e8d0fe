// Reads the files of a commit from git, never from a checkout that an agent has changed.
import { type Git, reading, split } from '#adapters/git/repo/git.ts';

export interface Tree {
  /** Relative to the start folder; files outside of it are not listed. */
  readonly files: readonly string[];
  /** Null for a file that is missing or too large. */
  text(path: string): Promise<string | null>;
  /** Files with a line that seems to define one of the names. */
  defining(names: readonly string[]): Promise<readonly string[]>;
}

const textMax = 1_000_000;

export async function readTree(git: Git, commit: string, prefix: string): Promise<Tree> {
  const folder = prefix === '' ? '' : `${prefix}/`;
  const listed = split(
    await git.tell(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit], reading),
  );
  const files = listed.flatMap((path) => (path.startsWith(folder) ? [path.slice(folder.length)] : []));
  const present = new Set(files);
  return {
    files,
    text: async (path) => {
      if (!present.has(path)) return null;
      const { code, stdout } = await git.ask(['cat-file', 'blob', `${commit}:${folder}${path}`], reading);
      return code === 0 && stdout.length <= textMax ? stdout : null;
    },
    defining: async (names) => {
      if (names.length === 0) return [];
      const { stdout } = await git.ask(
        ['grep', '-l', '-z', '-w', '-I', '-E', '-e', definition(names), commit, '--', '.'],
        reading,
      );
      return split(stdout).flatMap((found) => {
        const path = found.slice(commit.length + 1);
        return path.startsWith(folder) ? [path.slice(folder.length)] : [];
      });
    },
  };
}

/** Approximate: the syntax tree decides. */
function definition(names: readonly string[]): string {
  const words =
    'function|class|interface|type|enum|struct|trait|const|let|var|static|def|func|fn|module|record|void|int|String';
  return `(${words}|[)>*\\]])[[:space:]*]+(${names.map((name) => name.replaceAll(/[^\w]/g, '.')).join('|')})`;
}
