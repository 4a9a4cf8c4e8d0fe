// Lets any command wake due runs of its repository, in the background.
import { wakesOnStart } from '#config/resolve/durable.ts';
import { loadSettings } from '#config/load.ts';
import { startWake } from '#adapters/waiting/start-wake.ts';
import { livingWatch } from '#adapters/waiting/watch-lock.ts';
import { openSiteToRead, type Site } from '#app/site.ts';
import { ownProgram } from '#app/own-files.ts';
import { dueRecords } from './wake-due.ts';

/** Contract: never rejects, prints nothing, waits for nothing that it starts. */
export async function wakeDueHere(cwd: string, stateHome: string, env: NodeJS.ProcessEnv): Promise<void> {
  try {
    const watch = await livingWatch(stateHome);
    const site = await openSiteToRead(cwd, env);
    const due = await dueRecords(stateHome, site.repoId);
    if (!due.some(({ needs }) => watch === null || isOnlyHere(needs, site.env, watch.variables))) return;
    const { merged } = await loadSettings(site);
    if (!wakesOnStart(merged)) return;
    const args = ['watch', '--once', '--repo', site.root];
    startWake({ program: ownProgram(), args, cwd: site.root, env, log: null }).unref();
  } catch {
    // No repository here, or unreadable settings: the command itself has reported that.
  }
}

/** This process has what the run needs, and the living watch does not. */
function isOnlyHere(needs: readonly string[], env: Site['env'], watched: readonly string[]): boolean {
  return needs.every((name) => (env[name] ?? '') !== '') && needs.some((name) => !watched.includes(name));
}
