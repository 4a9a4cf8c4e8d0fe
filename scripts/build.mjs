// `npm run build`: one bundle per entry with shared chunks (so that `--help` loads little), and declarations.
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { relativeSpecifiers } from './declarations.mjs';
import { root, runNode, tool } from './tools.mjs';

const dist = join(root, 'dist');
const fresh = join(root, `dist-${process.pid}`);
const entries = {
  cli: 'src/surfaces/cli/main.ts',
  host: 'src/surfaces/host/main.ts',
  browser: 'src/surfaces/browser/main.ts',
  mcp: 'src/surfaces/mcp/main.ts',
  plugin: 'src/surfaces/plugin/main.ts',
  index: 'src/index.ts',
  testing: 'src/testing/index.ts',
};

export async function buildAll() {
  const startedMs = Date.now();
  mkdirSync(fresh);
  try {
    await bundle();
    writeDeclarations();
    writeFileSync(join(fresh, '.built'), String(startedMs));
    replaceDist();
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Builds unless everything that a build reads is older than the last one. */
export async function buildWhenStale() {
  const stampFile = join(dist, '.built');
  const builtMs = existsSync(stampFile) ? Number(readFileSync(stampFile, 'utf8')) : 0;
  if (newestSourceMs() >= builtMs) await buildAll();
}

async function bundle() {
  await build({
    absWorkingDir: root,
    entryPoints: presentEntries(),
    outdir: fresh,
    // Beside the entries, so that `new URL('./host.js', import.meta.url)` holds in every file of the build.
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.18',
    // Not minified: the stack trace in a user's bug report should name our functions and lines.
    minifySyntax: true,
    // ES modules first: the other builds of some packages call `require` in a way that cannot be bundled.
    mainFields: ['module', 'main'],
    alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
    legalComments: 'linked',
    // What users bring themselves, and what finds files of its own beside it: both are looked up when used.
    external: ['vitest', '@vscode/tree-sitter-wasm'],
    logLevel: 'warning',
  });
}

/** All entries, but in the very first days of the program, when it has no command line yet. */
function presentEntries() {
  if (existsSync(join(root, entries.cli))) return entries;
  return Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(join(root, file))));
}

function writeDeclarations() {
  if (!existsSync(join(root, entries.index))) return;
  const types = join(fresh, 'types');
  // Types are judged by `npm run check`; here they are only written down.
  const options = ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', types];
  const isWritten = runNode([tool('typescript', 'bin/tsc'), ...options]);
  if (!isWritten) throw new Error('the declarations could not be written');
  for (const file of globSync('**/*.d.ts', { cwd: types })) {
    const path = join(types, file);
    writeFileSync(path, relativeSpecifiers(file, readFileSync(path, 'utf8')));
  }
}

/** Whole or not at all: who starts the program meanwhile finds the old build or the new one. */
function replaceDist() {
  const old = `${fresh}-old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
}

function newestSourceMs() {
  const files = globSync(['src/**/*', 'scripts/*.mjs', 'package-lock.json', 'tsconfig*.json'], { cwd: root });
  return Math.max(...files.map((file) => statSync(join(root, file)).mtimeMs));
}

if (import.meta.main) {
  await buildAll();
}
