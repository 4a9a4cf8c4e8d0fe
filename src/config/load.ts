// All layers of one start: flags over environment over project file over user file over defaults.
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { usualAgain } from '#kernel/flaky.ts';
import { defaultQueue } from '#policies/looping/queue-settings.ts';
import { readAnswers } from './answers.ts';
import { readConfigFile } from './config-file.ts';
import {
  defaultBudget,
  defaultPolicy,
  defaultCheckTimeoutMs,
  defaultHarnessDir,
  defaultNotify,
  defaultPreset,
  defaultProtectedBranches,
  defaultSession,
  defaultWarnPercent,
} from './defaults.ts';
import type { Environment } from './env-file.ts';
import { environmentLayer } from './environment.ts';
import type { Layer } from './layers.ts';
import { mergeLayers } from './layers.ts';
import { loopDefaults } from './loops.ts';

export interface LoadInput {
  readonly cwd: string;
  /** Root of the repository; the search for a project file ends here. */
  readonly root: string;
  readonly env: Environment;
  readonly flags: Layer;
  /** Where answers are kept; both absent where none can be. */
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
  flags,
  stateHome,
  repoId,
}: LoadInput): Promise<Settings> {
  const environment = environmentLayer(env);
  const project = await nearestProjectFile(cwd, root);
  const userPath = userConfigPath(env);
  const user = await readConfigFile(userPath, 'user');
  const answers =
    stateHome === undefined || repoId === undefined ? null : await readAnswers({ stateHome, repoId });
  const given = [project?.layer, user, answers].filter((layer) => layer !== null && layer !== undefined);
  const layers = [flags, environment, ...given, defaultLayer()];
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

function defaultLayer(): Layer {
  const layer: Layer = new Map();
  const put = (path: string, value: unknown): void => {
    layer.set(path, { value, origin: { kind: 'default', where: '' } });
  };
  put('preset', defaultPreset);
  put('checks', []);
  put('criteria', []);
  put('proposals', 'person');
  for (const [path, value] of loopDefaults()) put(path, value);
  put('queue.onFailure', defaultQueue.onFailure);
  put('queue.crashRetries', defaultQueue.crashRetries);
  put('check.timeout', seconds(defaultCheckTimeoutMs));
  put('check.flaky.looks', usualAgain.looks);
  put('check.flaky.within', seconds(usualAgain.withinMs));
  put('check.env', []);
  put('agent.env', []);
  put('budget.sessions', defaultBudget.sessions);
  put('budget.hours', defaultBudget.activeMs / 3_600_000);
  put('budget.usd', defaultBudget.usd);
  put('budget.tokens', defaultBudget.tokens);
  put('budget.sessionUsd', defaultBudget.sessionUsd);
  put('budget.sessionTokens', defaultBudget.sessionTokens);
  put('budget.warnPercent', defaultWarnPercent);
  put('stuck.max', defaultPolicy.stuckMax);
  put('notify', defaultNotify);
  put('session.wall', seconds(defaultSession.wallMs));
  put('session.idle', seconds(defaultSession.idleMs));
  put('session.grace', seconds(defaultSession.graceMs));
  put('mayChange', []);
  put('tamper.acceptedBy', 'person');
  put('acceptance.calibration', 'auto');
  put('acceptReview', false);
  put('preCommitHook', false);
  put('knownRed', []);
  put('copy', []);
  put('protectedBranches', defaultProtectedBranches);
  put('inPlace', false);
  // What there is: a machine without one is told, not refused.
  put('sandbox.use', 'auto');
  for (const list of ['allowRead', 'denyRead', 'allowWrite', 'allowHosts']) put(`sandbox.${list}`, []);
  put('harnessDir', defaultHarnessDir);
  return layer;
}

function seconds(ms: number): string {
  return `${ms / 1000}s`;
}
