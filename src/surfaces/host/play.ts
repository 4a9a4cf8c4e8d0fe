import { play } from '#adapters/agents/scripted/player.ts';

/** The scripted agent's child: this very program, started with `play`. */
export async function playScript(): Promise<void> {
  await play();
}
