// Where the files of this program are: in one folder after a build, or in the source folders.
// Imports Node modules only: every command loads this.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const isSource = import.meta.url.endsWith('.ts');

/** Programs with their own entry file, as `scripts/build.mjs` names them. */
const sources = {
  host: 'src/surfaces/host/main.ts',
  browser: 'src/surfaces/browser/main.ts',
  mcp: 'src/surfaces/mcp/main.ts',
  plugin: 'src/surfaces/plugin/main.ts',
} as const;

/** The folder of package.json. */
export function packageRoot(): string {
  return join(here, isSource ? '../..' : '..');
}

export function entryOf(name: keyof typeof sources): string {
  return isSource ? join(packageRoot(), sources[name]) : join(here, `${name}.js`);
}

export function launcher(): string {
  return join(packageRoot(), 'bin', 'untildone.js');
}

/** How a child process of this program is started. */
export function ownProgram(): readonly [string, ...string[]] {
  return [process.execPath, launcher()];
}

export function ownVersion(): string {
  try {
    const { name, version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
      name?: string;
      version?: string;
    };
    return (name === 'untildone' ? version : undefined) ?? 'unknown';
  } catch {
    return 'unknown';
  }
}
