// The variables by which a run can be configured. A bad value is an error that names variable and value.
import { isAbsolute, resolve } from 'node:path';
import { OperatorError } from '#base/operator-error.ts';
import type { Environment } from './env-file.ts';
import { sandboxUse } from './flags.ts';
import type { Layer, SettingPath, SettingTypes } from './layers.ts';
import { put } from './layers.ts';

/** Where to work: `WIGGUM_REPO_ROOT`, else the current folder. */
export function startFolder(cwd: string, env: { readonly [name: string]: string | undefined }): string {
  const given = env['WIGGUM_REPO_ROOT'];
  if (given === undefined || given === '') return cwd;
  return isAbsolute(given) ? given : resolve(cwd, given);
}

export function environmentLayer(env: Environment): Layer {
  const layer: Layer = new Map();
  const take = <Path extends SettingPath>(
    name: string,
    path: Path,
    parse: (name: string, value: string) => SettingTypes[Path],
  ): void => {
    const value = env[name];
    if (value === undefined || value === '') return;
    put(layer, path, parse(name, value), { kind: 'environment', where: name });
  };
  take('WIGGUM_HARNESS_DIR', 'harnessDir', plain);
  take('WIGGUM_PLAN_DIR', 'planDir', plain);
  take('WIGGUM_LOG_DIR', 'logDir', plain);
  take('WIGGUM_MAX_LOOPS', 'maxLoops', loops);
  take('WIGGUM_COOLDOWN_SECONDS', 'cooldown', seconds);
  take('UNTILDONE_LOOKS', 'check.flaky.looks', loops);
  take('UNTILDONE_ACCEPT_REVIEW', 'acceptReview', yesOrNo);
  take('UNTILDONE_SANDBOX', 'sandbox.use', (name, value) => sandboxUse(name, value, 'bad-environment'));
  return layer;
}

function plain(_: string, value: string): string {
  return value;
}

function loops(name: string, value: string): number {
  if (/^\d+$/.test(value) && Number(value) >= 1 && Number.isSafeInteger(Number(value))) return Number(value);
  throw badValue(name, value, 'a whole number from 1 up');
}

function seconds(name: string, value: string): number {
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  throw badValue(name, value, 'a number of seconds from 0 up');
}

function yesOrNo(name: string, value: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  throw badValue(name, value, 'true or false');
}

function badValue(name: string, value: string, wanted: string): OperatorError {
  return new OperatorError(
    'bad-environment',
    `${name} is "${value}", which is not ${wanted}.`,
    `Set ${name} to ${wanted}, or unset it.`,
  );
}
