// Settings of package managers, by their keys: a few of them decide what is run and from where it comes, most do not. Pure.
import type { Sections } from './sections.ts';
import { tableSections } from './table-sections.ts';

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

/** `.yarnrc.yml` and `pnpm-workspace.yaml`: each key with all that stands indented below it. */
export function yamlSettings(text: string): Sections {
  const plain = text.replace(/^\s*#.*\n?/gm, '');
  // Anything but keys at the left edge: no file that these tools write.
  const isShifted = /^(\s*\n)*(---)?[ \t]+\S/.test(plain);
  if (isShifted || /^[{["&*!|>?]/m.test(plain.replace(/^"[\w-]+"\s*:/gm, 'x:')))
    return new Map([['unreadable', text]]);
  const blocks = plain.matchAll(/^["']?([\w-]+)["']?\s*:(.*\n?(?:(?:[ \t-].*)?\n)*(?:[ \t-].*)?)/gm);
  const pairs = [...blocks].map(([, key = '', value = '']) => [key, value.replace(/\s+/g, ' ').trim()]);
  const [, packages = ''] = pairs.find(([key]) => key === 'packages') ?? [];
  const members = packages.match(/(?<=- ["']?)[^\s"']+/g) ?? [];
  return new Map([...collect(pairs), ...members.map((each): [string, string] => [`members.${each}`, ''])]);
}

function collect(pairs: readonly (readonly string[])[]): Sections {
  const sections = new Map<string, string>();
  for (const [key = '', value = ''] of pairs)
    if (steers(key)) sections.set(key, `${sections.get(key) ?? ''}${value}\n`);
  return sections;
}

export function bunSections(text: string): Sections {
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
  return tableSections(text, [...deciding, 'install.cache', 'install.lockfile'], 'toml');
}
