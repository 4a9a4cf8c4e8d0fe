// Reads what a run left for people: logs, prompts, the branch.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { eventsOf, sessionsOf } from './journal.ts';
import type { Place } from './place.ts';
import { runFolders } from './place.ts';

export function roles(place: Place): string[] {
  return sessionsOf(eventsOf(place)).map(({ deed }) => deed.role);
}

/** Folder of the newest run inside the repository. */
export function viewsOf(place: Place): string {
  return join(place.repo, '.untildone/runs', newestRun(place));
}

/** The prompts of a role in the order of its sessions, as their own logs have them. */
export function prompts(place: Place, role: string): string[] {
  const folder = join(viewsOf(place), 'logs');
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${role}_`))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').split('\n')[0] ?? '')
    .map((line) => (JSON.parse(line) as { prompt: string }).prompt);
}

export function branchOf(place: Place): string {
  return place.git('for-each-ref', '--format=%(refname:short)', `refs/heads/untildone/${newestRun(place)}`);
}

export function newestRun(place: Place): string {
  return basename(runFolders(place).at(-1) ?? '');
}

/** Every file on the branch of the run. */
export function filesOf(place: Place): string[] {
  return place.git('ls-tree', '-r', '--name-only', branchOf(place)).split('\n');
}
