// Reads the names that a repository's JavaScript imports: own packages, declared ones, and aliases. Pure.
import { readJsonTable } from '#analysis/texts/json-text.ts';
import { tableOf, valueAt } from '#analysis/texts/plain.ts';
import { allOf, inRepository, manifestsNamed, type RedCheck } from '#analysis/why-red/red-check.ts';

export interface Names {
  /** Package to the manifest that declares it. */
  readonly declared: ReadonlyMap<string, string>;
  /** Packages of the repository itself. */
  readonly own: ReadonlySet<string>;
  /** Their `@scope`: the work may add a package to it. */
  readonly scopes: ReadonlySet<string>;
  /** Own packages that only an installation links: declared with the path of their folder. */
  readonly linked: ReadonlySet<string>;
  readonly aliases: readonly ((specifier: string) => boolean)[];
}

/** `@scope/name` or `name` of a bare specifier; null for paths, schemes and names that no registry has. */
export function packageNamed(specifier: string): string | null {
  const installed = /\/node_modules\/((?:@[^/]+\/)?[^/.][^/]*)(?!.*\/node_modules\/)/.exec(specifier)?.[1];
  if (installed !== undefined) return installed;
  const name = /^(?:@[a-z\d][\w.-]*\/)?[a-zA-Z\d][\w.-]*(?=\/|$)/.exec(specifier)?.[0];
  return name === undefined || specifier.includes(':') || builtins.has(name) ? null : name;
}

const builtins = new Set(
  'assert async_hooks buffer child_process cluster console crypto dgram dns events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder test timers tls tty url util v8 vm worker_threads zlib'.split(
    ' ',
  ),
);

const dependencyKeys = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

export function namesIn(check: RedCheck): Names {
  const declared = new Map<string, string>();
  const own = new Set<string>();
  const linked = new Set<string>();
  for (const [path, text] of packagesOf(check)) {
    const manifest = readJsonTable(text) ?? {};
    const name = manifest['name'];
    if (typeof name === 'string') own.add(name);
    for (const key of dependencyKeys)
      for (const [dependency, version] of Object.entries(tableOf(manifest[key]) ?? {})) {
        const target = /^(?:file|link|portal):(.*)$/.exec(String(version))?.[1];
        const isOwn = String(version).startsWith('workspace:') || target !== undefined;
        if (target !== undefined && isThere(check, path, target)) linked.add(dependency);
        // A folder that the work still has to create.
        else if (isOwn) own.add(dependency);
        if (!declared.has(dependency)) declared.set(dependency, path);
      }
  }
  const scopes = new Set([...own].flatMap((name) => /^(@[^/]+)\//.exec(name)?.[1] ?? []));
  // From a base folder every undeclared name may be a file of the repository.
  const hasBase = hasBaseFolder(check);
  const isBased = (specifier: string): boolean => hasBase && !declared.has(packageNamed(specifier) ?? '');
  const aliases = [...pathAliases(check), toolAliases(check, declared), inFolder(check, declared), isBased];
  return { declared, own, scopes, linked, aliases };
}

/** A package of an example is skipped, unless it is a workspace or the check runs there. */
function packagesOf(check: RedCheck): (readonly [string, string])[] {
  const all = manifestsNamed(check, /^package\.json$/);
  const workspaces = [
    ...all.map(([, text]) => JSON.stringify((readJsonTable(text) ?? {})['workspaces'] ?? '')),
    ...manifestsNamed(check, /^pnpm-workspace\.yaml$/).map(([, text]) => text),
  ].join('\n');
  return all.filter(([path]) => {
    const [folder, name] =
      /^(?:.*\/)?(fixtures?|__fixtures__|examples?|testdata|node_modules)\//.exec(path) ?? [];
    if (folder === undefined) return true;
    return workspaces.includes(`${name}/`) || `${check.folder}/`.startsWith(folder);
  });
}

/** The folder or archive of a dependency; the work does not write outside of the repository. */
function isThere({ files }: RedCheck, manifest: string, target: string): boolean {
  if (target.startsWith('/') || target.startsWith('~')) return true;
  const folder = inRepository(manifest.replace(/[^/]*$/, ''), target);
  return folder === '' || files.has(folder) || [...files].some((path) => path.startsWith(`${folder}/`));
}

const toolConfig = /\.config\.[\w.]+$|^\.babelrc(?:\.\w+)?$|^config-overrides\.js$/;

/** `baseUrl` of TypeScript, folders of modules in jest and webpack, `NODE_PATH`. */
function hasBaseFolder(check: RedCheck): boolean {
  const has = (name: RegExp, word: RegExp): boolean =>
    manifestsNamed(check, name).some(([, text]) => word.test(text));
  return (
    has(/^[tj]sconfig[\w.-]*\.json$/, /"baseUrl"/) ||
    has(toolConfig, /\bmodulePaths\b|\bmoduleDirectories\b|\bresolve\b[\s\S]*\bmodules\s*:\s*\[/) ||
    has(/^package\.json$/, /"modulePaths"|"moduleDirectories"|\bNODE_PATH=/) ||
    /\bNODE_PATH=/.test(check.command)
  );
}

/** `paths` of a tsconfig; read by pattern, because the text may hold comments. */
function pathAliases(check: RedCheck): Names['aliases'] {
  return manifestsNamed(check, /^[tj]sconfig[\w.-]*\.json$/).flatMap(([, text]) => {
    const bare = text.replaceAll(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1');
    const paths = /"paths"\s*:\s*\{([^}]*)\}/.exec(bare)?.[1] ?? '';
    return allOf(paths, /"([^"]+)"\s*:/g).map((alias) => {
      const [head = '', tail] = alias.split('*');
      return (specifier: string) =>
        tail === undefined ? specifier === alias : specifier.startsWith(head) && specifier.endsWith(tail);
    });
  });
}

/** A name that the configuration of a bundler or of a runner maps. */
function toolAliases(check: RedCheck, declared: ReadonlyMap<string, string>): Names['aliases'][number] {
  const texts = manifestsNamed(check, toolConfig).map(([, text]) => text);
  const inPackages = manifestsNamed(check, /^package\.json$/).map(([, text]) => {
    const manifest = readJsonTable(text) ?? {};
    const alias = manifest['_moduleAliases'];
    return JSON.stringify({ alias, moduleNameMapper: valueAt(manifest, 'jest.moduleNameMapper') });
  });
  const all = [...texts, ...inPackages].join('\n');
  const hasAlias = /alias|moduleNameMapper|module-resolver/.test(all);
  return (specifier) => {
    if (!hasAlias) return false;
    const [first = ''] = specifier.split('/');
    const name = packageNamed(specifier);
    // The configuration itself may import a declared package, which is not an alias.
    if (name !== null && declared.has(name)) return isMapped(all, name);
    return [specifier, name ?? first].some((one) => isQuoted(all, one)) || isKey(all, first);
  };
}

function isQuoted(text: string, name: string): boolean {
  return ['"', "'", '`', '^'].some((quote) => text.includes(`${quote}${name}`));
}

/** `'react':`, `find: 'react'` and `'^react$':`. */
function isMapped(text: string, name: string): boolean {
  const word = name.replaceAll(/[^\w@-]/g, '\\$&');
  return new RegExp(`\\^${word}|["'\`]${word}\\$?["'\`]\\s*:|find:\\s*["'\`]${word}["'\`]`).test(text);
}

/** `'@app'`, `'@app/*'`, `/^@app\/(.*)/` and `app:`, but not the package `'@app/core'`. */
function isKey(text: string, name: string): boolean {
  const word = name.replaceAll(/[^\w@-]/g, '\\$&');
  return new RegExp(`["'\`^/]${word}(?:\\\\?/)?(?:["'\`$(*.[,/]|\\s|$)|[{,\\s]${word}\\s*:`, 'm').test(text);
}

/** `src/x` from a root or a baseUrl: a path inside the repository, unless a package has that name. */
function inFolder({ files }: RedCheck, declared: ReadonlyMap<string, string>): Names['aliases'][number] {
  const folders = new Set<string>();
  for (const path of files)
    for (const part of path.split('/').slice(0, 3)) folders.add(part.replace(/\.\w+$/, ''));
  return (specifier) => {
    const [first = ''] = specifier.split('/');
    return specifier.includes('/') && !declared.has(first) && folders.has(first);
  };
}
