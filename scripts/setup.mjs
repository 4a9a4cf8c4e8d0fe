// Prepares a fresh checkout, then runs a script of this repository under the repository's own Node.
// It must parse and run on Node 20 with nothing installed: a machine may have no more.
//
//   node scripts/setup.mjs scripts/test.mjs [arguments…]
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const nodeFile = join(
  root,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

installWhenStale();
requireOwnNode();
process.exit(runUnderOwnNode(process.argv.slice(2)));

function installWhenStale() {
  if (isInstalled()) return;
  console.error('Setting up: installing what package-lock.json names (once, under a minute).');
  // A registry hiccup should not cost a person a second try of their own.
  if (!install() && !install()) {
    fail('`npm ci` failed twice; see its message above, then run the same command again.');
  }
}

/** npm leaves a lock of what it really installed; packages for other platforms are not in it. */
function isInstalled() {
  const installedFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = readJson(installedFile).packages;
  return Object.entries(readJson(join(root, 'package-lock.json')).packages).every(([path, wanted]) => {
    const found = installed[path];
    return found === undefined ? path === '' || wanted.optional : found.integrity === wanted.integrity;
  });
}

function install() {
  // Development packages are asked for by name, because NODE_ENV=production would leave them out.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const ended =
    npm && /\.c?js$/.test(npm)
      ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
      : spawnSync('npm', args, {
          cwd: root,
          stdio: ['ignore', 2, 2],
          shell: process.platform === 'win32',
        });
  return ended.status === 0;
}

function requireOwnNode() {
  const wanted = readJson(join(root, 'package.json')).devDependencies.node;
  const found = existsSync(nodeFile)
    ? spawnSync(nodeFile, ['--version'], { encoding: 'utf8' }).stdout.trim()
    : 'none';
  if (found === `v${wanted}`) return;
  fail(
    `The repository's own Node ${wanted} is not in node_modules (found: ${found}), probably because install ` +
      'scripts are switched off: run `npm ci --ignore-scripts=false`, then the same command again.',
  );
}

/** @param {string[]} command */
function runUnderOwnNode([script, ...args]) {
  if (script === undefined) return 0;
  const path = [dirname(nodeFile), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const ended = spawnSync(nodeFile, [join(root, script), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: path },
  });
  // A script killed by a signal has no status, and that is not a success.
  return ended.status ?? 1;
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** @type {(sentence: string) => never} */
function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
