// Reads the variables that configure a run. A bad value is an error that names variable and value.
import { isAbsolute, resolve } from 'node:path';
import { OperatorError } from '#base/operator-error.ts';
import type { Environment } from './env-file.ts';
import { sandboxUse } from './flags.ts';
import type { Layer } from './layers.ts';
import { refuseOldVariables } from '#config/schema/renamed.ts';
import { type Kind, settingRows, type SettingValues } from './setting-table.ts';

/** The working folder: `WIGGUM_REPO_ROOT`, else the current folder. */
export function startFolder(cwd: string, env: { readonly [name: string]: string | undefined }): string {
  const text = env['WIGGUM_REPO_ROOT'];
  if (text === undefined || text === '') return cwd;
  return isAbsolute(text) ? text : resolve(cwd, text);
}

export function environmentLayer(env: Environment): Layer {
  refuseOldVariables(env);
  const layer: Layer = new Map();
  for (const { key, takes, variable = '' } of settingRows) {
    const text = env[variable];
    if (key === undefined || text === undefined || text === '') continue;
    const value = parsers[takes]?.(variable, text) ?? text;
    layer.set(key, { value, origin: { kind: 'environment', where: variable } });
  }
  return layer;
}

/** Every other kind is used unparsed. */
const parsers: { readonly [K in Kind]?: (name: string, value: string) => SettingValues[K] } = {
  'whole number': wholeNumber,
  seconds,
  switch: yesOrNo,
  sandbox: (name, value) => sandboxUse(name, value, 'bad-environment'),
};

function wholeNumber(name: string, value: string): number {
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
