// How long one call of git may take. Git says nothing while it works, so silence cannot be limited, only the whole call.
const seconds = {
  /** Names, objects and settings: no repository is so large that these take longer. */
  quick: 120,
  /** Every file of a checkout, or the whole history. Less than a session host waits for its tree. */
  walk: 240,
  /** Writes a whole checkout, on a slow disk and for a huge repository; or sends it through a slow network. */
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
