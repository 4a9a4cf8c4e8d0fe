/** The first Ctrl-C ends the work in order; a second one ends the process at once. */
export function abortOnInterrupt(): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  const onSignal = (): void => controller.abort();
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.once(name, onSignal);
  return {
    signal: controller.signal,
    dispose() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
