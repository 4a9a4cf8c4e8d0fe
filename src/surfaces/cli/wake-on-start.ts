// After a command has done its work, wakes due runs of its repository in the background.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stateHome } from '#app/state-home.ts';

/** Commands that programs call, or that wake runs themselves. */
const excluded: ReadonlySet<string> = new Set(['watch', 'wake', 'hook', 'mcp', 'completion', 'help', 'demo']);

/** Contract: reads one folder if no run of this user waits. Never rejects, prints nothing. */
export async function wakeOnStart(argv: readonly string[]): Promise<void> {
  const command = argv.slice(2).find((word) => !word.startsWith('-'));
  if (command === undefined || excluded.has(command) || !hasWaiting()) return;
  try {
    const { refuseFromInside } = await import('./guard.ts');
    await refuseFromInside('untildone watch');
    const { startFolder } = await import('#config/environment.ts');
    const { wakeDueHere } = await import('#app/waiting/wake-on-start.ts');
    await wakeDueHere(startFolder(process.cwd(), process.env), stateHome(process.env), process.env);
  } catch {
    // From inside a run nothing is woken.
  }
}

function hasWaiting(): boolean {
  try {
    return readdirSync(join(stateHome(process.env), 'untildone', 'waiting')).some((name) =>
      name.endsWith('.json'),
    );
  } catch {
    return false;
  }
}
