// The files of a commit as they are in git: what an agent has left in a checkout is not looked at.
import { type Git, reading, split } from '#adapters/git/repo/git.ts';

export interface Tree {
  /** Relative to the folder where we were started; what lies outside it is not listed. */
  readonly files: readonly string[];
  /** Null for what is not there or too large to tell anything. */
  text(path: string): Promise<string | null>;
  /** Files with a line that defines one of the names, as far as a line can tell. */
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

/** Coarse: the syntax tree has the last word. */
function definition(names: readonly string[]): string {
  const words =
    'function|class|interface|type|enum|struct|trait|const|let|var|static|def|func|fn|module|record|void|int|String';
  return `(${words}|[)>*\\]])[[:space:]*]+(${names.map((name) => name.replaceAll(/[^\w]/g, '.')).join('|')})`;
}
