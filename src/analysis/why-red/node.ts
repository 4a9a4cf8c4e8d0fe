// Packages that Node, its test runners, bundlers or the TypeScript compiler could not find. Pure.
import { tableOf, valueAt } from '#analysis/texts/plain.ts';
import { allOf, manifestsNamed, type RedCheck } from './red-check.ts';

const unresolved =
  /Cannot find (?:package|module) ['"]([^'"\n]+)['"]|Failed to resolve import "([^"\n]+)" from|Failed to load url (\S+) \(resolved id|Could not resolve "([^"\n]+)"|Can't resolve '([^'\n]+)' in/g;

/** A clause about the first package that does not resolve; null where only files of the repository are missing. */
export function missingNodePackage(check: RedCheck): string | null {
  const specifiers = allOf(check.output, unresolved);
  if (specifiers.length === 0) return null;
  const known = namesIn(check);
  for (const specifier of specifiers) {
    const name = packageOf(specifier);
    if (name === null || known.aliases.some((matches) => matches(specifier)) || known.own.has(name)) continue;
    return clauseFor(name, known.declared);
  }
  return null;
}

/** A program of a package that a script calls by its name. */
export function packageOfProgram(check: RedCheck, program: string): string | null {
  const { declared } = namesIn(check);
  const candidates = [program, ...(programs[program] ?? [])];
  const name = candidates.find((one) => declared.has(one));
  return name === undefined ? null : clauseFor(name, declared);
}

function clauseFor(name: string, declared: ReadonlyMap<string, string>): string {
  const where = declared.get(name);
  return where === undefined
    ? `the package "${name}" is not installed, and no package.json declares it`
    : `the package "${name}" is declared in ${where} and not installed`;
}

/** Where the program has another name than its package. */
const programs: { readonly [program: string]: readonly string[] } = {
  tsc: ['typescript'],
  playwright: ['@playwright/test'],
  biome: ['@biomejs/biome'],
  ng: ['@angular/cli'],
  babel: ['@babel/cli'],
  webpack: ['webpack-cli'],
  'run-s': ['npm-run-all', 'npm-run-all2'],
  'run-p': ['npm-run-all', 'npm-run-all2'],
};

/** `@scope/name` or `name` of a bare specifier; null for paths, schemes and names that no registry has. */
function packageOf(specifier: string): string | null {
  const installed = /\/node_modules\/((?:@[^/]+\/)?[^/.][^/]*)(?!.*\/node_modules\/)/.exec(specifier)?.[1];
  if (installed !== undefined) return installed;
  const name = /^(?:@[a-z\d][\w.-]*\/)?[a-zA-Z\d][\w.-]*(?=\/|$)/.exec(specifier)?.[0];
  if (name === undefined || specifier.includes(':') || builtins.has(name)) return null;
  // A file of the work, named from the folder that a tool takes for its root.
  const isFile = /\.(?:[cm]?[jt]sx?|json|vue|svelte|css)$|\/.*\.\w{2,5}$/.test(specifier);
  return isFile && !name.startsWith('@') ? null : name;
}

const builtins = new Set(
  'assert async_hooks buffer child_process cluster console crypto dgram dns events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder test timers tls tty url util v8 vm worker_threads zlib'.split(
    ' ',
  ),
);

interface Names {
  /** Package to the manifest that declares it. */
  readonly declared: ReadonlyMap<string, string>;
  /** Packages of the repository itself. */
  readonly own: ReadonlySet<string>;
  readonly aliases: readonly ((specifier: string) => boolean)[];
}

const dependencyKeys = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

function namesIn(check: RedCheck): Names {
  const declared = new Map<string, string>();
  const own = new Set<string>();
  for (const [path, text] of manifestsNamed(check, /^package\.json$/)) {
    const manifest = readJson(text);
    const name = manifest['name'];
    if (typeof name === 'string') own.add(name);
    for (const key of dependencyKeys)
      for (const dependency of Object.keys(tableOf(manifest[key]) ?? {}))
        if (!declared.has(dependency)) declared.set(dependency, path);
  }
  // From a base folder every undeclared name may be a file of the repository.
  const hasBase = manifestsNamed(check, /^[tj]sconfig[\w.-]*\.json$/).some(([, text]) =>
    /"baseUrl"/.test(text),
  );
  const isBased = (specifier: string): boolean => hasBase && !declared.has(packageOf(specifier) ?? '');
  return {
    declared,
    own,
    aliases: [...pathAliases(check), ...toolAliases(check), inFolder(check, declared), isBased],
  };
}

/** `paths` of a tsconfig; its text is read by pattern, since it may hold comments. */
function pathAliases(check: RedCheck): Names['aliases'] {
  return manifestsNamed(check, /^[tj]sconfig[\w.-]*\.json$/).flatMap(([, text]) => {
    const paths = /"paths"\s*:\s*\{([^}]*)\}/.exec(text)?.[1] ?? '';
    return allOf(paths, /"([^"]+)"\s*:/g).map((alias) => {
      const [head = '', tail] = alias.split('*');
      return (specifier: string) =>
        tail === undefined ? specifier === alias : specifier.startsWith(head) && specifier.endsWith(tail);
    });
  });
}

/** A name in quotes that the configuration of a bundler or of a runner maps to something. */
function toolAliases(check: RedCheck): Names['aliases'] {
  const texts = manifestsNamed(check, /\.config\.\w+$|^\.babelrc$/).map(([, text]) => text);
  const jest = manifestsNamed(check, /^package\.json$/).map(([, text]) =>
    JSON.stringify({ moduleNameMapper: valueAt(readJson(text), 'jest.moduleNameMapper') }),
  );
  const all = [...texts, ...jest].join('\n');
  return [
    (specifier) => {
      const first = specifier.split('/')[0] ?? specifier;
      const isAlias = /alias|moduleNameMapper|module-resolver/.test(all);
      return isAlias && [specifier, packageOf(specifier) ?? first].some((name) => isQuoted(all, name));
    },
  ];
}

function isQuoted(text: string, name: string): boolean {
  return ['"', "'", '`', '^'].some((quote) => text.includes(`${quote}${name}`));
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

function readJson(text: string): { readonly [key: string]: unknown } {
  try {
    return tableOf(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}
