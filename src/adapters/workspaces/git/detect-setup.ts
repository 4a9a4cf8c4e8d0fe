// Which command installs the dependencies, judged by the lock file that is there.

interface Kind {
  readonly file: string;
  readonly command: string;
}

// Order matters where one ecosystem has several: the more particular tool first.
const kinds: readonly Kind[] = [
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

/** Manifests and settings that decide, beside the lock files, what an installation looks like. */
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

/**
 * `files` are paths of the tree, relative to its root; `prefix` is the folder of the start.
 * Null when nothing that we know has to be installed.
 */
export function detectSetup(files: readonly string[], prefix = ''): string | null {
  const present = new Set(files);
  const folders = prefix === '' ? [''] : [`${prefix}/`, ''];
  for (const folder of folders) {
    const kind = kinds.find(({ file }) => present.has(folder + file));
    if (kind === undefined) continue;
    return folder === '' && prefix !== '' ? `cd ${up(prefix)} && ${kind.command}` : kind.command;
  }
  return null;
}

export function decidesSetup(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return isLockFile(path) || manifests.has(name) || /^requirements[\w.-]*\.txt$/.test(name);
}

export function isLockFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return kinds.some(({ file }) => file === name);
}

function up(prefix: string): string {
  return prefix
    .split('/')
    .map(() => '..')
    .join('/');
}
