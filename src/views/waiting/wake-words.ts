// Says which process continues a waiting run, and why a driver stays.

export type Waker =
  | { readonly kind: 'watch'; readonly pid: number }
  /** A `watch` is alive, but lacks variables that the agents of the run need. */
  | { readonly kind: 'watch-without'; readonly pid: number; readonly missing: readonly string[] }
  /** No `watch` is alive: the next command in the repository wakes due runs. */
  | { readonly kind: 'command' }
  /** The settings forbid that the run continues by itself. */
  | { readonly kind: 'person' };

/** For a driver that leaves. */
export function wakeWords(waker: Waker, runId: string): string {
  switch (waker.kind) {
    case 'watch':
      return `\`untildone watch\` (pid ${waker.pid}) wakes it.`;
    case 'watch-without':
      return `\`untildone watch\` (pid ${waker.pid}) has no ${waker.missing.join(', ')}: it cannot wake this run. Continue with: untildone resume ${runId}`;
    case 'command':
      return 'No `untildone watch` is running: the next untildone command in this repository wakes it when it is due.';
    case 'person':
      return `Nothing wakes it (durableSteps). Continue with: untildone resume ${runId}`;
  }
}

/** For a driver without a terminal that stays; said once. */
export function stayWords(why: 'soon' | 'not-woken', waker: Waker): string {
  if (why === 'soon') return 'This process waits: the run continues within 10 minutes.';
  switch (waker.kind) {
    case 'watch':
    case 'command':
      return 'This process stays and waits: no `untildone watch` is running that would wake the run. To start one: untildone watch --install';
    case 'watch-without':
      return `This process stays and waits: \`untildone watch\` (pid ${waker.pid}) has no ${waker.missing.join(', ')}, which this run needs.`;
    case 'person':
      return 'This process stays and waits: the settings (durableSteps) forbid that another process wakes the run.';
  }
}
