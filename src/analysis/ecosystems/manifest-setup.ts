// What each kind of manifest says of the command that installs its dependencies, where no lock file is committed. Pure.
import { listOf, type Table, tableOf, valueAt } from '#analysis/texts/plain.ts';
import { readToml } from '#analysis/texts/toml.ts';
import type { FoundSetup } from './found-setup.ts';

export interface Manifest {
  readonly path: string;
  readonly text: string;
  /** Whether a file is beside it, by name. */
  readonly has: (name: string) => boolean;
  /** Whether a file is beside it or in the root. */
  readonly hasHereOrInRoot: (name: string) => boolean;
  /** Whether the folder below it is committed, with something in it. */
  readonly hasFolder: (name: string) => boolean;
}

interface ManifestKind {
  /** A name in the folder, or a pattern of such paths. */
  readonly file: string | RegExp;
  /** Null where it declares no dependency. */
  readonly judge: (manifest: Manifest) => FoundSetup | null;
}

/** Their dependencies could be anything: the user is asked instead of hearing that there are none. */
const unreadManifests =
  /^(pubspec\.yaml|Podfile|Cartfile|conanfile\.(txt|py)|vcpkg\.json|cpanfile|shard\.yml|packages\.config|rebar\.config)$/;

/** The first one that declares a dependency decides. */
export const manifestKinds: readonly ManifestKind[] = [
  { file: 'package.json', judge: ofPackage },
  { file: 'composer.json', judge: ofComposer },
  { file: 'Gemfile', judge: ofGemfile },
  { file: /^[\w.-]+\.gemspec$/, judge: ofGemspec },
  { file: 'mix.exs', judge: ({ path }) => unlocked('mix deps.get', path, 'mix.lock') },
  { file: 'pyproject.toml', judge: ofPyproject },
  { file: 'Pipfile', judge: ({ path }) => unlocked('pipenv install --dev', path, 'Pipfile.lock') },
  { file: 'requirements.txt', judge: ofRequirements },
  {
    file: 'setup.py',
    judge: ({ path, text }) => (/(install|extras|tests)_require/.test(text) ? asked(path) : null),
  },
  {
    file: 'setup.cfg',
    judge: ({ path, text }) =>
      /^(install_requires\s*=|\[options\.extras_require\])/m.test(text) ? asked(path) : null,
  },
  { file: /^(requirements[\w.-]*|requirements\/[\w.-]+)\.txt$/, judge: ofRequirements },
  { file: /^environment\.ya?ml$/, judge: ({ path, text }) => (/\S/.test(text) ? asked(path) : null) },
  { file: 'Cargo.toml', judge: ofCargo },
  { file: 'go.mod', judge: ofGo },
  { file: 'pom.xml', judge: ({ path }) => self(path, 'maven') },
  { file: 'build.gradle', judge: ({ path }) => self(path, 'gradle') },
  { file: 'build.gradle.kts', judge: ({ path }) => self(path, 'gradle') },
  { file: 'deno.json', judge: ({ path }) => self(path, 'deno') },
  { file: 'deno.jsonc', judge: ({ path }) => self(path, 'deno') },
  { file: /^[\w.-]+\.(sln|slnx|csproj|fsproj|vbproj)$/, judge: ({ path }) => self(path, 'dotnet') },
  { file: 'Package.swift', judge: ({ path }) => self(path, 'swift') },
  { file: 'build.sbt', judge: ({ path }) => self(path, 'sbt') },
  { file: unreadManifests, judge: ({ path }) => named(`${path} is there, and its format is not read`) },
];

/** The manifest of a kind in a folder ('' or with a slash at its end), by its path from the root. */
export function isManifest({ file }: Pick<ManifestKind, 'file'>, path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  const name = path.slice(folder.length);
  return typeof file === 'string' ? file === name : file.test(name);
}

const dependencyFields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
const locksOf = {
  npm: 'package-lock.json',
  pnpm: 'pnpm-lock.yaml',
  yarn: 'yarn.lock',
  bun: 'bun.lock',
} as const;
type Packager = keyof typeof locksOf;

function ofPackage(manifest: Manifest): FoundSetup | null {
  const { path } = manifest;
  const about = readJson(manifest.text);
  if (about === null) return asked(path, `${path} is not valid JSON`);
  const declares = dependencyFields.some((field) => isFilled(about[field])) || isFilled(about['workspaces']);
  if (!declares && !manifest.has('pnpm-workspace.yaml')) return null;
  if (manifest.hasFolder('node_modules')) return null;
  const tool = packagerOf(about, manifest);
  return unlocked(`${tool} install`, path, locksOf[tool]);
}

function packagerOf(about: Table, manifest: Manifest): Packager {
  const named = [about['packageManager'], valueAt(about, 'devEngines.packageManager.name')];
  for (const name of named) {
    const tool = typeof name === 'string' ? /^(npm|pnpm|yarn|bun)(@|$)/.exec(name)?.[1] : undefined;
    // The pattern allows these four alone.
    if (tool !== undefined) return tool as Packager;
  }
  if (manifest.has('pnpm-workspace.yaml')) return 'pnpm';
  return manifest.has('.yarnrc.yml') ? 'yarn' : 'npm';
}

function ofComposer({ path, text, hasFolder }: Manifest): FoundSetup | null {
  const about = readJson(text);
  if (about === null) return asked(path, `${path} is not valid JSON`);
  const isPackage = (name: string): boolean => name.includes('/');
  const names = ['require', 'require-dev'].flatMap((field) => Object.keys(tableOf(about[field]) ?? {}));
  // `php` and `ext-json` are no packages; the autoloader is made by the same command.
  const declares = names.some(isPackage) || isFilled(about['autoload']) || isFilled(about['autoload-dev']);
  return declares && !hasFolder('vendor')
    ? unlocked('composer install --no-interaction', path, 'composer.lock')
    : null;
}

function ofGemfile({ path, text }: Manifest): FoundSetup | null {
  return /^\s*(gem|gemspec)\b/m.test(text) ? unlocked('bundle install', path, 'Gemfile.lock') : null;
}

function ofGemspec({ path, text }: Manifest): FoundSetup | null {
  if (!/\.add_(runtime_|development_)?dependency\b/.test(text)) return null;
  return named(
    `${path} declares dependencies, and no Gemfile names it`,
    'Commit a Gemfile with the line `gemspec`. ',
  );
}

const pythonTools = [
  { table: 'tool.poetry', backend: /^poetry[._]/, command: 'poetry install', lock: 'poetry.lock' },
  { table: 'tool.uv', backend: /^uv_build\b/, command: 'uv sync', lock: 'uv.lock' },
  { table: 'tool.pdm', backend: /^pdm\./, command: 'pdm install', lock: 'pdm.lock' },
] as const;
const pythonTables = [
  'project.dependencies',
  'project.optional-dependencies',
  'dependency-groups',
  'tool.poetry.dependencies',
  'tool.poetry.dev-dependencies',
  'tool.poetry.group',
];

/** A table of the tool says which one installs; where there is none, the build backend that belongs to one tool alone does. */
function ofPyproject({ path, text, has }: Manifest): FoundSetup | null {
  const about = readToml(text);
  if (about === null) return asked(path, `${path} is not valid TOML`);
  const isOfTool = ['tool.uv', 'tool.pdm'].some((table) => valueAt(about, table) !== undefined);
  if (!isOfTool && !pythonTables.some((table) => isFilled(valueAt(about, table)))) return null;
  const backend = valueAt(about, 'build-system.build-backend');
  const tool =
    pythonTools.find(({ table }) => valueAt(about, table) !== undefined) ??
    pythonTools.find((one) => typeof backend === 'string' && one.backend.test(backend));
  if (tool !== undefined) return unlocked(tool.command, path, tool.lock);
  return asked(
    path,
    has('requirements.txt') ? `${path} and requirements.txt declare dependencies` : undefined,
  );
}

function ofRequirements({ path, text }: Manifest): FoundSetup | null {
  return /^[ \t]*[^\s#]/m.test(text) ? asked(path) : null;
}

/** Cargo chooses versions when it builds where no lock file is committed; fetched first, they are the same in every checkout. */
function ofCargo({ path, text, hasHereOrInRoot }: Manifest): FoundSetup {
  const about = readToml(text);
  const tables = [
    about,
    ...Object.values(tableOf(about?.['target']) ?? {}).map(tableOf),
    tableOf(about?.['workspace']),
  ];
  const dependencies = tables.flatMap((table) =>
    ['dependencies', 'dev-dependencies', 'build-dependencies'].flatMap((name) =>
      Object.values(tableOf(table?.[name]) ?? {}),
    ),
  );
  const isFetched = (dependency: unknown): boolean => tableOf(dependency)?.['path'] === undefined;
  // The manifests of members are not read.
  const declares = dependencies.some(isFetched) || isFilled(tableOf(about?.['workspace'])?.['members']);
  return declares && !hasHereOrInRoot('Cargo.lock')
    ? unlocked('cargo fetch', path, 'Cargo.lock')
    : self(path, 'cargo');
}

/** Go takes no module whose sum is not written down. */
function ofGo({ path, text, has, hasHereOrInRoot, hasFolder }: Manifest): FoundSetup {
  const isCovered = has('go.sum') || hasHereOrInRoot('go.work.sum') || hasFolder('vendor');
  if (isCovered || !requiresModule(text)) return self(path, 'go');
  return {
    kind: 'ask',
    why: `${path} requires modules, and no go.sum is committed, so go refuses to build`,
    hint: 'Run `go mod tidy` and commit go.sum, or let the run make it: --setup "go mod tidy"',
  };
}

/** A module that is replaced by a folder needs no sum. */
function requiresModule(text: string): boolean {
  const lines = text.split('\n').map((line) => line.replace(/\/\/.*$/, '').trim());
  const replaced = new Set(
    lines.flatMap((line) => /^(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+\.{0,2}\//.exec(line)?.[1] ?? []),
  );
  const required = lines.flatMap((line) => /^(?:require\s+)?(\S+)\s+v\d\S*$/.exec(line)?.[1] ?? []);
  return required.some((name) => name !== 'exclude' && name !== 'retract' && !replaced.has(name));
}

function unlocked(command: string, path: string, lock: string): FoundSetup {
  return {
    kind: 'command',
    command,
    why: `${path} declares dependencies, and no ${lock} is committed`,
    isUnlocked: true,
  };
}

/** A command that only the user knows. */
function named(why: string, before = ''): FoundSetup {
  return {
    kind: 'ask',
    why,
    hint: `${before}Name the command: --setup "…", or --no-setup to install nothing.`,
  };
}

/** Python projects install into an environment that only the user knows. */
function asked(
  path: string,
  why = `${path} declares dependencies, and no committed file says which tool installs them`,
): FoundSetup {
  return {
    kind: 'ask',
    why,
    hint: `Name the command: --setup "…"${exampleFor(path)}, or --no-setup to install nothing.`,
    ...(path.endsWith('.json') ? {} : { manifest: path }),
  };
}

function exampleFor(path: string): string {
  if (path.endsWith('.json')) return '';
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith('environment.'))
    return ` (for example "conda env create --prefix .conda --file ${name}")`;
  const list = /(^|\/)(requirements(\/[\w.-]+|[\w.-]*)\.txt)$/.exec(path)?.[2];
  const install = list === undefined ? '-e .' : `-r ${list}`;
  return ` (for example "python3 -m venv .venv && .venv/bin/pip install ${install}")`;
}

function self(path: string, tool: string): FoundSetup {
  return { kind: 'self', why: `${path} is there, and ${tool} fetches dependencies when it builds` };
}

function readJson(text: string): Table | null {
  try {
    return tableOf(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch {
    return null;
  }
}

function isFilled(value: unknown): boolean {
  return listOf(value).length > 0 || Object.keys(tableOf(value) ?? {}).length > 0;
}
