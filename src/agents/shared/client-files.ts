// Helpers that the facts of clients share: settings files, switches, Google's cloud.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isSet } from '#base/is-set.ts';
import type { ReadText } from './client-facts.ts';
import type { Environment } from './state-folder.ts';
import type { Fields } from './json.ts';
import { parseRecord } from '#base/parse-json.ts';

export async function readJson(path: string, read: ReadText): Promise<Fields | null> {
  return parseRecord((await read(path)) ?? '');
}

/** Never the current folder: a repository must not be able to pose as a login. */
export function homeOf(env: Environment): string {
  return [env['HOME'], env['USERPROFILE']].find(isSet) ?? homedir();
}

export function isOn(value: string | undefined): boolean {
  return isSet(value) && !['0', 'false', 'no', 'off'].includes(value.trim().toLowerCase());
}

export const googleVariables = (
  'GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_LOCATION CLOUD_ML_REGION ' +
  'ANTHROPIC_VERTEX_PROJECT_ID'
).split(' ');

export function googleFiles(isGoogle: boolean, env: Environment, home: string): string[] {
  if (!isGoogle) return [];
  const named = env['GOOGLE_APPLICATION_CREDENTIALS'];
  return [join(home, '.config', 'gcloud'), ...(isSet(named) ? [named] : [])];
}
