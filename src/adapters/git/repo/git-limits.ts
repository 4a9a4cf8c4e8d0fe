// Time limits for git. Git prints nothing while it works, so only the whole call can be limited.
const seconds = {
  /** Names, objects and settings: fast in a repository of any size. */
  quick: 120,
  /** Reads every file of a checkout or the whole history. Less than a session host waits for its tree. */
  walk: 240,
  /** Writes a whole checkout on a slow disk, or sends it through a slow network. */
  long: 1200,
};

const commands = {
  walk: 'add diff diff-tree grep log ls-files merge merge-tree rev-list status update-index',
  long: 'checkout checkout-index fetch index-pack pack-objects push read-tree submodule worktree',
};

export function limitMsOf(args: readonly string[]): number {
  const command = args.find((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-c') ?? '';
  const kind = (['walk', 'long'] as const).find((one) => commands[one].split(' ').includes(command));
  return seconds[kind ?? 'quick'] * 1000;
}
