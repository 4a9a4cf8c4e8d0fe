// Loads all layers of one start: flags beat environment, project file, user file, defaults.
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { readAnswers } from './answers.ts';
import { readConfigFile } from './config-file.ts';
import type { Environment } from './env-file.ts';
import { environmentLayer } from './environment.ts';
import { defaultLayer, type Layer, mergeLayers } from './layers.ts';

export interface LoadInput {
  readonly cwd: string;
  /** Root of the repository; the search for a project file ends here. */
  readonly root: string;
  readonly env: Environment;
  /** Absent without a command line. */
  readonly flags?: Layer;
  /** Where answers are stored; both absent if none can be. */
  readonly stateHome?: string;
  readonly repoId?: string;
}

export interface Settings {
  readonly merged: Layer;
  readonly projectFile: string | null;
  readonly userFile: string | null;
}

export async function loadSettings({
  cwd,
  root,
  env,
  flags = new Map(),
  stateHome,
  repoId,
}: LoadInput): Promise<Settings> {
  const environment = environmentLayer(env);
  const project = await nearestProjectFile(cwd, root);
  const userPath = userConfigPath(env);
  const user = await readConfigFile(userPath, 'user');
  const answers =
    stateHome === undefined || repoId === undefined ? null : await readAnswers({ stateHome, repoId });
  const ownLayers = [project?.layer, user, answers].filter((layer) => layer !== null && layer !== undefined);
  const layers = [flags, environment, ...ownLayers, defaultLayer()];
  return {
    merged: mergeLayers(layers),
    projectFile: project?.path ?? null,
    userFile: user === null ? null : userPath,
  };
}

export function projectConfigPath(folder: string): string {
  return join(folder, '.untildone', 'config.jsonc');
}

export function userConfigPath(env: Environment): string {
  const home = env['XDG_CONFIG_HOME'];
  const folder = home !== undefined && home !== '' ? home : join(env['HOME'] ?? homedir(), '.config');
  return join(folder, 'untildone', 'config.jsonc');
}

async function nearestProjectFile(cwd: string, root: string): Promise<{ path: string; layer: Layer } | null> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = projectConfigPath(folder);
    const layer = await readConfigFile(path, 'project');
    if (layer !== null) return { path, layer };
    if (folder === root || folder === dirname(folder)) return null;
  }
}
