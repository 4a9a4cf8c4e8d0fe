// One recorded start of a process: which programs it is, and what it mounts.
import { basename } from 'node:path';

export const kinds = ['git', 'bwrap', 'sh', 'node'] as const;
type Kind = (typeof kinds)[number];

export interface Start {
  readonly command: readonly string[];
  /** The programs that this start becomes or contains: bubblewrap with a shell inside is both. */
  readonly kinds: readonly Kind[];
  readonly mounts: readonly MountOperation[];
}

export interface MountOperation {
  /** Without its dashes. */
  readonly name: string;
  /** Where it is visible inside. */
  readonly path: string;
}

/** Contract: knows what a command line shows; a program that starts others itself counts once. */
export function startOf(words: readonly string[]): Start {
  // It becomes the program that it starts in other namespaces.
  const command = basename(words[0] ?? '') === 'nsenter' ? words.slice(words.indexOf('--') + 1) : words;
  return { command, kinds: kindsOf(command), mounts: mountsOf(command) };
}

export function countKinds(starts: readonly Start[]): { readonly [kind in Kind]: number } {
  const count = (kind: Kind): number =>
    starts.reduce((sum, start) => sum + start.kinds.filter((one) => one === kind).length, 0);
  return { git: count('git'), bwrap: count('bwrap'), sh: count('sh'), node: count('node') };
}

/** One line for a person; constant words are left out. */
export function describeStart({ command, mounts }: Start): string {
  const words = command.join(' ').replaceAll(/^\S*setpriv .*? -- | -c \S+=\S*/g, '');
  const inside = words.slice(words.indexOf(' -- ') + 4);
  const line = mounts.length === 0 ? words : `bwrap, ${mounts.length} mounts: ${inside}`;
  return line.split('\n', 1).join('').slice(0, 160);
}

function kindsOf([file = '', ...args]: readonly string[]): Kind[] {
  const name = file === process.execPath ? 'node' : basename(file);
  const inner = args.slice(args.indexOf('--') + 1);
  switch (name) {
    case 'bwrap':
      return ['bwrap', ...kindsOf(inner)];
    // It becomes the program that it starts.
    case 'setpriv':
      return kindsOf(inner);
    case 'node':
      return ['node', ...kindsOf(bridgedBy(args))];
    case 'git':
    case 'sh':
      return [name];
    default:
      return [];
  }
}

/** The command after the bridge to the network, its socket and its ports. */
function bridgedBy(args: readonly string[]): readonly string[] {
  const at = args.indexOf('bridge');
  return at === -1 ? [] : args.slice(at + 3);
}

/** How many words follow each operation; the last one is the path inside. */
const operations: Readonly<Record<string, number>> = {
  '--bind': 2,
  '--dev-bind': 2,
  '--ro-bind': 2,
  '--bind-try': 2,
  '--ro-bind-try': 2,
  '--symlink': 2,
  '--bind-data': 2,
  '--ro-bind-data': 2,
  '--file': 2,
  '--overlay': 3,
  '--tmpfs': 1,
  '--dev': 1,
  '--proc': 1,
  '--mqueue': 1,
  '--dir': 1,
  '--remount-ro': 1,
};

function mountsOf(command: readonly string[]): MountOperation[] {
  if (basename(command[0] ?? '') !== 'bwrap') return [];
  const end = command.indexOf('--');
  const args = end === -1 ? command : command.slice(0, end);
  return args.flatMap((word, index) => {
    const words = operations[word];
    return words === undefined ? [] : [{ name: word.slice(2), path: args[index + words] ?? '' }];
  });
}
