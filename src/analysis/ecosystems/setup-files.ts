// Files that decide which dependencies a checkout gets: lock files, manifests, and settings of package managers.

export interface LockKind {
  readonly file: string;
  /** Installs exactly what the lock file says. */
  readonly command: string;
  /** Its tool needs the file whenever it starts a program of the project. */
  readonly isReadLater?: true;
}

/** Lock files that a command installs from. Order matters where a folder has several: the more particular tool first. */
export const lockKinds: readonly LockKind[] = [
  { file: 'pnpm-lock.yaml', command: 'pnpm install --frozen-lockfile' },
  { file: 'bun.lock', command: 'bun install --frozen-lockfile' },
  { file: 'bun.lockb', command: 'bun install --frozen-lockfile' },
  { file: 'yarn.lock', command: 'yarn install --immutable', isReadLater: true },
  { file: 'package-lock.json', command: 'npm ci' },
  { file: 'npm-shrinkwrap.json', command: 'npm ci' },
  { file: 'uv.lock', command: 'uv sync --frozen', isReadLater: true },
  { file: 'poetry.lock', command: 'poetry install' },
  { file: 'Pipfile.lock', command: 'pipenv sync --dev' },
  { file: 'pdm.lock', command: 'pdm sync' },
  { file: 'composer.lock', command: 'composer install --no-interaction' },
  { file: 'Gemfile.lock', command: 'bundle install', isReadLater: true },
  { file: 'mix.lock', command: 'mix deps.get', isReadLater: true },
];

/** Their tool installs from them when it builds; where none is committed, the run keeps the one that the first setup makes. */
const builtFromLocks: readonly LockKind[] = [
  { file: 'Cargo.lock', command: 'cargo fetch --locked', isReadLater: true },
];

/** Names of the lock files that a run keeps where none is committed. */
export const keptLockNames: readonly string[] = [...lockKinds, ...builtFromLocks].map(({ file }) => file);

/** Their build tool fetches dependencies by itself, so no command installs from them. */
const selfFetchedLocks = new Set(['Cargo.lock', 'go.sum', 'deno.lock', 'packages.lock.json']);

const manifests = new Set([
  'package.json',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  'pnpm-workspace.yaml',
  '.pnpmfile.cjs',
  'bunfig.toml',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'requirements.txt',
  'Pipfile',
  'composer.json',
  'Gemfile',
  'mix.exs',
  'Cargo.toml',
  '.nvmrc',
  '.node-version',
  '.python-version',
  '.tool-versions',
]);

export function isLockFile(path: string): boolean {
  const name = nameOf(path);
  return selfFetchedLocks.has(name) || lockKindOf(path) !== undefined;
}

/** The kind of a lock file that a command installs from. */
export function lockKindOf(path: string): LockKind | undefined {
  return lockKinds.find(({ file }) => file === nameOf(path));
}

/** The kind of a lock file that a run keeps where none is committed. */
export function keptLockKindOf(path: string): LockKind | undefined {
  return lockKindOf(path) ?? builtFromLocks.find(({ file }) => file === nameOf(path));
}

/** The program of a setup command: `npm` of `cd .. && npm install`. */
export function lockTool(command: string): string {
  return command.replace(/^cd [./]+ && /, '').split(' ')[0] ?? '';
}

/** Settings and continuous integration keep some tools from writing a lock file; the run needs it. */
const resolvingEnv: { readonly [tool: string]: { readonly [name: string]: string } } = {
  npm: { npm_config_package_lock: 'true' },
  pnpm: { npm_config_lockfile: 'true', npm_config_frozen_lockfile: 'false' },
  yarn: { YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' },
};
/** The others refuse a lock file that does not fit the manifest. */
const lockUpdaters = new Set(['npm', 'pnpm', 'yarn', 'bun', 'bundle', 'uv', 'mix', 'cargo']);

/** How a command runs that is to choose versions; `updatesLock`: it brings a lock file of an older manifest up to date. */
export function resolving(command: string): {
  readonly env: { readonly [name: string]: string };
  readonly updatesLock: boolean;
} {
  const tool = lockTool(command);
  return { env: resolvingEnv[tool] ?? {}, updatesLock: lockUpdaters.has(tool) };
}

/** Whether a file decides what a setup command installs. */
export function decidesSetup(path: string): boolean {
  const name = nameOf(path);
  const isList =
    /(^|\/)requirements([\w.-]*|\/[\w.-]+)\.txt$/.test(path) || /^environment\.ya?ml$/.test(name);
  return lockKindOf(path) !== undefined || manifests.has(name) || isList;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
