import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { root } from '../tidy/repository.ts';

const launcher = join(root, 'bin/untildone.js');

function startOn(version: string): { status: number | null; stdout: string; stderr: string } {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  return spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, launcher, '--help'],
    { encoding: 'utf8' },
  );
}

test.each(['20.20.2', '22.17.1', '8.0.0'])(
  'On Node %s the launcher names the Node it needs and exits with 2 [X6]',
  (version) => {
    const { status, stdout, stderr } = startOn(version);
    expect(stderr).toBe(
      `untildone needs Node 22.18 or newer, and this is Node ${version}.\n` +
        'Hint: install a current Node (for example with your version manager), then run the same command again.\n',
    );
    expect(stdout).toBe('');
    expect(status).toBe(2);
  },
);

test.each(['22.18.0', '24.0.0', '100.1.0'])('On Node %s the launcher starts', (version) => {
  expect(startOn(version).stderr).not.toContain('needs Node');
});

test('The launcher uses only syntax of very old Nodes', () => {
  const text = readFileSync(launcher, 'utf8');
  // Nothing to lower means nothing newer, import() apart, which parses since Node 10.
  const lowered = transformSync(text, { target: 'es5', supported: { 'dynamic-import': true } });
  expect(lowered.code).toBe(transformSync(text, { target: 'esnext' }).code);
});
