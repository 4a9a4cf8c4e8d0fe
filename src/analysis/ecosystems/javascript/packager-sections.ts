// Reads settings of package managers by key: a few decide what is run and where it comes from. Pure.
import { listOf, spell } from '#analysis/texts/plain.ts';
import { readToml } from '#analysis/texts/toml.ts';
import { readYaml } from '#analysis/texts/yaml.ts';
import { pickPaths, recordOf, unreadable } from '#analysis/texts/json-text.ts';
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';

/** In the spelling of npm; `scriptShell` and `script_shell` mean the same. */
const steering = new Set(
  [
    'shell script-shell shell-emulator node-options node node-version use-node-version ignore-scripts',
    'enable-scripts enable-pre-post-scripts if-present dry-run onload-script scripts-prepend-node-path',
    'inject-environment-files env yarn-path plugins preload registry registries replace-registry-host',
    'npm-registry-server npm-registries npm-scopes proxy https-proxy http-proxy noproxy ca cafile',
    'strict-ssl enable-strict-ssl unsafe-http-whitelist network-settings checksum-behavior',
    'enable-immutable-installs prefix userconfig globalconfig location global workspace workspaces git',
    'package-lock package-lock-only lockfile shrinkwrap offline cache cache-folder cache-dir store-dir',
    'modules-dir global-dir global-bin-dir global-folder pnpmfile global-pnpmfile config-dependencies',
    'overrides package-extensions patched-dependencies patch-folder verify-deps-before-run',
    'yarn-offline-mirror',
  ].flatMap((line) => line.split(' ')),
);

function steers(key: string): boolean {
  const name = key
    .replace(/^--?(\w+\.)?/, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
  // A name that has to be decoded hides something.
  return steering.has(name) || name.endsWith(':registry') || name.includes('\\');
}

/** `.npmrc` has `key = value`, `.yarnrc` has `key value`. */
export function npmrcSections(text: string): Sections {
  const rows = text.split('\n').map((line) => line.replace(/^\s*[#;].*$/, '').trim());
  const pairs = rows.map((row) => /^["']?([^\s="'[]+)(?:\[\])?["']?\s*(?:=\s*|\s+)?(.*)$/.exec(row));
  return collect(pairs.flatMap((match) => (match === null ? [] : [[match[1] ?? '', match[2] ?? '']])));
}

/** `.yarnrc.yml` and `pnpm-workspace.yaml`. Tools treat a second document differently. */
export function yamlSettings(text: string): Sections {
  const documents = readYaml(text, 'typed');
  const settings = recordOf(documents?.[0] ?? {});
  if (documents === null || documents.length > 1 || settings === null) return unreadable(text);
  const pairs = Object.entries(settings).map(([key, value]) => [key, spell(value)]);
  const members = listOf(settings['packages']).map((each): [string, string] => [
    `members.${String(each)}`,
    '',
  ]);
  return new Map([...collect(pairs), ...members]);
}

function collect(pairs: readonly (readonly string[])[]): Sections {
  const sections = new Map<string, string>();
  for (const [key = '', value = ''] of pairs)
    if (steers(key)) sections.set(key, `${sections.get(key) ?? ''}${value}\n`);
  return sections;
}

export function bunSections(text: string): Sections {
  const settings = readToml(text);
  if (settings === null) return unreadable(text);
  const deciding = [
    'preload',
    'test',
    'run',
    'define',
    'loader',
    'env',
    'install.registry',
    'install.scopes',
  ];
  return pickPaths(settings, [...deciding, 'install.cache', 'install.lockfile']);
}
