// Apart from all else: it is loaded inside a sandbox, before every program.
import { bridge } from '#adapters/sandboxes/bridge.ts';

/** The network of a sandbox, by arguments of the host's own program. */
export function carryNetwork(args: readonly string[]): Promise<void> {
  return bridge(args);
}
