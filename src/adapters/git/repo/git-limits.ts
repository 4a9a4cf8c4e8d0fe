// How long one call of git may take. Git says nothing while it works, so silence cannot be limited, only the whole call.
const seconds = {
  /** Names, objects and settings: no repository is so large that these take longer. */
  quick: 120,
  /** Every file of a checkout, or the whole history. Less than a session host waits for its tree. */
  walk: 240,
  /** Writes a whole checkout, on a slow disk and for a huge repository; or sends it through a slow network. */
  long: 1200,
};

const kinds: { readonly [command: string]: keyof typeof seconds } = {
  add: 'walk',
  diff: 'walk',
  'diff-tree': 'walk',
  grep: 'walk',
  log: 'walk',
  'ls-files': 'walk',
  merge: 'walk',
  'merge-tree': 'walk',
  'rev-list': 'walk',
  status: 'walk',
  'update-index': 'walk',
  checkout: 'long',
  'checkout-index': 'long',
  fetch: 'long',
  'index-pack': 'long',
  'pack-objects': 'long',
  push: 'long',
  'read-tree': 'long',
  submodule: 'long',
  worktree: 'long',
};

export function limitMsOf(args: readonly string[]): number {
  const command = args.find((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-c') ?? '';
  return seconds[kinds[command] ?? 'quick'] * 1000;
}
