// Builds the environment of agents and checks from ours: an allow-list, never everything.
import { wordsIn } from '#analysis/ecosystems/ecosystems.ts';
import type { Environment } from '#config/env-file.ts';

/** Names to pass on (`NAME`) or to set (`NAME=value`), or names with values. */
export type EnvironmentSpec = readonly string[] | { readonly [name: string]: string };

const names = new Set([
  ...(
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM COLORTERM TZ TMPDIR TMP TEMP PWD HOSTNAME ' +
    'http_proxy https_proxy no_proxy all_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY ' +
    'NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE GIT_SSL_CAINFO ' +
    'CI NO_COLOR FORCE_COLOR DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS ' +
    // Windows cannot start a program without these.
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERNAME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA ' +
    'PROGRAMFILES PROGRAMDATA NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE'
  ).split(' '),
  // Folders of tool managers that PATH points at.
  ...wordsIn('machine', (each) => each.folderVariables),
  ...wordsIn('machine', (each) => each.passedVariables),
]);
const prefixes = ['LC_', 'XDG_'];

/**
 * The environment of an agent or a check: the base, then the names in the specs; later ones win. No check
 * sees the keys of an agent unless `check.env` names them.
 */
export function allowedEnvironment(
  env: Environment,
  ...specs: readonly (EnvironmentSpec | undefined)[]
): Environment {
  const result: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(env)) if (isBase(name)) result[name] = value;
  for (const spec of specs) Object.assign(result, chosen(env, spec ?? []));
  return result;
}

function isBase(name: string): boolean {
  return (
    names.has(name) || names.has(name.toUpperCase()) || prefixes.some((prefix) => name.startsWith(prefix))
  );
}

function chosen(env: Environment, spec: EnvironmentSpec): Environment {
  if (!isList(spec)) return spec;
  const result: { [name: string]: string } = {};
  for (const entry of spec) {
    const [name = '', ...rest] = entry.split('=');
    const value = rest.length > 0 ? rest.join('=') : env[name];
    if (value !== undefined) result[name] = value;
  }
  return result;
}

/** Joins two specs into one list; the later one wins. */
export function joinSpecs(first: EnvironmentSpec = [], second: EnvironmentSpec = []): readonly string[] {
  return [first, second].flatMap((spec) =>
    isList(spec) ? [...spec] : Object.entries(spec).map(([name, value]) => `${name}=${value}`),
  );
}

function isList(spec: EnvironmentSpec): spec is readonly string[] {
  return Array.isArray(spec);
}
