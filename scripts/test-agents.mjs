// `npm run test:agents`: the packed program with the real clients, against a scripted model on loopback.
// `-- --all` adds the clients that are slow or large; other arguments go to vitest.
// The last line is always `N passed, N failed, N skipped`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setup, teardown } from '../test/e2e/setup-package.ts';
import { buildWhenStale } from './build.mjs';
import { root, tool } from './tools.mjs';

const isAll = process.argv.includes('--all');
const rest = process.argv.slice(2).filter((argument) => argument !== '--all');
const agents = join(root, 'test/e2e/agents');

await buildWhenStale();
for (const name of isAll ? ['clients', 'clients-more'] : ['clients']) installClients(join(agents, name));
const prefix = await packProgram();
const { status, counts } = runTests(prefix);
await teardown();

const failed = status !== 0 && counts.failed === 0 ? 1 : counts.failed;
console.log(`\n${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped`);
process.exit(failed === 0 ? 0 : 1);

/**
 * From its own lock; twice, because it is a long download. Without a client its tests are skipped and say so.
 * @param {string} folder
 */
function installClients(folder) {
  if (isInstalled(folder)) return;
  for (const attempt of ['', ' (once more)']) {
    console.log(`Installing the clients of ${folder}${attempt}; this may take minutes.`);
    const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
    const isWindows = process.platform === 'win32';
    const ended = spawnSync('npm', args, {
      cwd: folder,
      stdio: ['ignore', 2, 2],
      env: clientEnvironment(),
      shell: isWindows,
    });
    if (ended.status === 0) return;
  }
  console.error(`WARNING: the clients of ${folder} could not be installed; their tests are NOT RUN.`);
}

/** @param {string} folder */
function isInstalled(folder) {
  const found = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(found)) return false;
  const installed = readJson(found).packages;
  return Object.entries(readJson(join(folder, 'package-lock.json')).packages).every(
    ([path, wanted]) =>
      path === '' ||
      (installed[path] === undefined ? wanted.optional : installed[path].version === wanted.version),
  );
}

/** Here, because inside a place without a network npm could not install it. */
async function packProgram() {
  let prefix = '';
  const project = {
    provide: (/** @type {string} */ _, /** @type {string} */ value) => void (prefix = value),
  };
  await setup(/** @type {import('vitest/node').TestProject} */ (/** @type {unknown} */ (project)));
  return prefix;
}

/** @param {string} packagePrefix */
function runTests(packagePrefix) {
  const folder = mkdtempSync(join(tmpdir(), 'untildone-test-'));
  const countsFile = join(folder, 'counts.json');
  const [file, ...args] = [
    ...withoutNetwork(),
    process.execPath,
    tool('vitest', 'vitest.mjs'),
    'run',
    `--config=${join(agents, 'vitest.config.ts')}`,
    '--reporter=verbose',
    `--reporter=${join(root, 'scripts/counts-reporter.mjs')}`,
    ...rest,
  ];
  const ended = spawnSync(file ?? '', args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, UNTILDONE_PACKAGE_PREFIX: packagePrefix, TEST_COUNTS_FILE: countsFile },
  });
  const counts = existsSync(countsFile) ? readJson(countsFile) : { passed: 0, failed: 1, skipped: 0 };
  rmSync(folder, { recursive: true, force: true });
  return { status: ended.status ?? 1, counts };
}

/** A network of our own with nothing but loopback: proves that no client talks to anybody else. */
function withoutNetwork() {
  const isRoot = process.getuid?.() === 0;
  const script = 'ip link set lo up && exec "$@"';
  const wrapper = ['unshare', isRoot ? '-n' : '-rn', 'sh', '-c', script, 'sh'];
  const [file, ...args] = wrapper;
  if (spawnSync(file ?? '', [...args, 'true'], { stdio: 'ignore' }).status === 0) {
    console.log('The tests run in a network of their own, with loopback and nothing else.');
    return wrapper;
  }
  console.log('NOTE: this machine gives no network namespace; that clients call nobody else is NOT shown.');
  return [];
}

/** What npm told the script that started us is not meant for this npm. */
function clientEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  return { ...Object.fromEntries(kept), PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
