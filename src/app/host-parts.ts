// Other modes of the host program. Separate from `host.ts`, so that each mode loads only what it needs.

/** The scripted agent's child process: the host program, started with `play`. */
export async function playScript(): Promise<void> {
  const { play } = await import('#agents/scripted/player.ts');
  await play();
}

/** The network of a sandbox, by arguments of the host program: loaded inside, before every program. */
export async function carryNetwork(args: readonly string[]): Promise<void> {
  const { bridge } = await import('#adapters/sandbox/bridge.ts');
  await bridge(args);
}
