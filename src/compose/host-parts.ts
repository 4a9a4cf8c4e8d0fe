// What the host's own program does besides hosting. Apart from `host.ts`: each of them loads nothing that it does not need.
import { pathToFileURL } from 'node:url';

/** The scripted agent's child: the host's own program, started with `play`. */
export async function playScript(): Promise<void> {
  const { play } = await import('#adapters/agents/scripted/player.ts');
  await play();
}

/** Answers a session that asks through its door: the host's own program, started with `mcp`. */
export async function answerSession(): Promise<void> {
  const { entryOf } = await import('./eyes.ts');
  const { serveMcp } = (await import(pathToFileURL(entryOf('mcp')).href)) as {
    serveMcp: (run: string | null) => Promise<void>;
  };
  await serveMcp(null);
}
