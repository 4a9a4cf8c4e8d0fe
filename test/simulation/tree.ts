// A tree of the simulated repository, as a short string: the progress of each task, and its damage.

export interface Tree {
  /** How far the work of each task is, 0 to 3, by task id. */
  readonly levels: { readonly [taskId: string]: number };
  /** Whether the pinned file differs from the base. */
  readonly pinEdited: boolean;
  /** Whether something that worked before is broken. */
  readonly broken: boolean;
  /** Whether the tree has a file that is not part of the task. */
  readonly junk: boolean;
  /** Anything else that differs. */
  readonly salt: number;
}

export function writeTree(tree: Tree): string {
  const levels = Object.entries(tree.levels)
    .filter(([, level]) => level > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, level]) => `${id}${level}`)
    .join('.');
  return `${levels}|${tree.pinEdited ? 'P' : ''}${tree.broken ? 'B' : ''}${tree.junk ? 'J' : ''}|${tree.salt}`;
}

const known = new Map<string, Tree>();

export function readTree(text: string): Tree {
  const cached = known.get(text);
  if (cached !== undefined) return cached;
  const tree = parse(text);
  if (known.size > 20_000) known.clear();
  known.set(text, tree);
  return tree;
}

function parse(text: string): Tree {
  const [levels = '', flags = '', salt = '0'] = text.split('|');
  return {
    levels: Object.fromEntries(
      levels
        .split('.')
        .filter((one) => one !== '')
        .map((one) => [one.slice(0, -1), Number(one.slice(-1))]),
    ),
    pinEdited: flags.includes('P'),
    broken: flags.includes('B'),
    junk: flags.includes('J'),
    salt: Number(salt),
  };
}

export function withTree(text: string, change: Partial<Tree>): string {
  return writeTree({ ...readTree(text), ...change });
}

export function levelOf(text: string, taskId: string): number {
  return readTree(text).levels[taskId] ?? 0;
}

export function withLevel(text: string, taskId: string, level: number): string {
  const tree = readTree(text);
  return writeTree({ ...tree, levels: { ...tree.levels, [taskId]: Math.max(0, Math.min(3, level)) } });
}
