// What each kind of manifest says of the command that installs its dependencies, where no lock file is committed. Pure.
import { listOf, type Table, tableOf, valueAt } from '#analysis/texts/plain.ts';
import { readToml } from '#analysis/texts/toml.ts';
import type { FoundSetup } from './found-setup.ts';

export interface Manifest {
  readonly path: string;
  readonly text: string;
  /** Whether a file is beside it, by name. */
  readonly has: (name: string) => boolean;
  /** Whether the folder below it is committed, with something in it. */
  readonly hasFolder: (name: string) => boolean;
}

interface ManifestKind {
  /** A name in the folder, or a pattern of such paths. */
  readonly file: string | RegExp;
  /** Null where it declares no dependency. */
  readonly judge: (manifest: Manifest) => FoundSetup | null;
}

/** The first one that declares a dependency decides. */
export const manifestKinds: readonly ManifestKind[] = [
  { file: 'package.json', judge: ofPackage },
  { file: 'composer.json', judge: ofComposer },
  { file: 'Gemfile', judge: ofGemfile },
  { file: 'mix.exs', judge: ({ path }) => unlocked('mix deps.get', path, 'mix.lock') },
  { file: 'pyproject.toml', judge: ofPyproject },
  { file: 'Pipfile', judge: ({ path }) => unlocked('pipenv install --dev', path, 'Pipfile.lock') },
  { file: 'requirements.txt', judge: ofRequirements },
  { file: 'setup.py', judge: ({ path, text }) => (/install_requires/.test(text) ? asked(path) : null) },
  {
    file: 'setup.cfg',
    judge: ({ path, text }) =>
      /^(install_requires\s*=|\[options\.extras_require\])/m.test(text) ? asked(path) : null,
  },
  { file: /^(requirements[\w.-]*|requirements\/[\w.-]+)\.txt$/, judge: ofRequirements },
  { file: /^environment\.ya?ml$/, judge: ({ path, text }) => (/\S/.test(text) ? asked(path) : null) },
  { file: 'Cargo.toml', judge: ({ path }) => self(path, 'cargo') },
  { file: 'go.mod', judge: ({ path }) => self(path, 'go') },
  { file: 'pom.xml', judge: ({ path }) => self(path, 'maven') },
  { file: 'build.gradle', judge: ({ path }) => self(path, 'gradle') },
  { file: 'build.gradle.kts', judge: ({ path }) => self(path, 'gradle') },
  { file: 'deno.json', judge: ({ path }) => self(path, 'deno') },
  { file: 'deno.jsonc', judge: ({ path }) => self(path, 'deno') },
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

const pythonTools = [
  { table: 'tool.poetry.dependencies', command: 'poetry install', lock: 'poetry.lock' },
  { table: 'tool.uv', command: 'uv sync', lock: 'uv.lock' },
  { table: 'tool.pdm', command: 'pdm install', lock: 'pdm.lock' },
] as const;

function ofPyproject({ path, text, has }: Manifest): FoundSetup | null {
  const about = readToml(text);
  if (about === null) return asked(path, `${path} is not valid TOML`);
  const tool = pythonTools.find(({ table }) => valueAt(about, table) !== undefined);
  if (tool !== undefined) return unlocked(tool.command, path, tool.lock);
  const tables = ['project.dependencies', 'project.optional-dependencies', 'dependency-groups'];
  if (!tables.some((table) => isFilled(valueAt(about, table)))) return null;
  return asked(
    path,
    has('requirements.txt') ? `${path} and requirements.txt declare dependencies` : undefined,
  );
}

function ofRequirements({ path, text }: Manifest): FoundSetup | null {
  return /^[ \t]*[^\s#]/m.test(text) ? asked(path) : null;
}

function unlocked(command: string, path: string, lock: string): FoundSetup {
  return {
    kind: 'command',
    command,
    why: `${path} declares dependencies, and no ${lock} is committed`,
    isUnlocked: true,
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
