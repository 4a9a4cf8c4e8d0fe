// Files that decide which dependencies a checkout gets: lock files, manifests, and settings of package managers.

export interface LockKind {
  readonly file: string;
  /** Installs exactly what the lock file says. */
  readonly command: string;
}

/** Lock files that a command installs from. Order matters where a folder has several: the more particular tool first. */
export const lockKinds: readonly LockKind[] = [
  { file: 'pnpm-lock.yaml', command: 'pnpm install --frozen-lockfile' },
  { file: 'bun.lock', command: 'bun install --frozen-lockfile' },
  { file: 'bun.lockb', command: 'bun install --frozen-lockfile' },
  { file: 'yarn.lock', command: 'yarn install --immutable' },
  { file: 'package-lock.json', command: 'npm ci' },
  { file: 'npm-shrinkwrap.json', command: 'npm ci' },
  { file: 'uv.lock', command: 'uv sync --frozen' },
  { file: 'poetry.lock', command: 'poetry install' },
  { file: 'Pipfile.lock', command: 'pipenv sync --dev' },
  { file: 'pdm.lock', command: 'pdm sync' },
  { file: 'composer.lock', command: 'composer install --no-interaction' },
  { file: 'Gemfile.lock', command: 'bundle install' },
  { file: 'mix.lock', command: 'mix deps.get' },
];

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

/** Whether a file decides what a setup command installs. */
export function decidesSetup(path: string): boolean {
  const name = nameOf(path);
  return lockKindOf(path) !== undefined || manifests.has(name) || /^requirements[\w.-]*\.txt$/.test(name);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
