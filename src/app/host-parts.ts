// What the host's own program does besides hosting. Apart from `host.ts`: each of them loads nothing that it does not need.

/** The scripted agent's child: the host's own program, started with `play`. */
export async function playScript(): Promise<void> {
  const { play } = await import('#agents/scripted/player.ts');
  await play();
}

/** The network of a sandbox, by arguments of the host's own program: loaded inside, before every program. */
export async function carryNetwork(args: readonly string[]): Promise<void> {
  const { bridge } = await import('#adapters/sandbox/bridge.ts');
  await bridge(args);
}
