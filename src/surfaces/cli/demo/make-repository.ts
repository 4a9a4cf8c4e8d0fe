// Makes the temporary repository of the demonstration: its test fails until the function exists.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '#base/operator-error.ts';

const git = promisify(execFile);

export async function makeRepository(folder: string): Promise<string> {
  const root = join(folder, 'greeter');
  await mkdir(join(root, 'test'), { recursive: true });
  await writeFile(
    join(root, 'package.json'),
    `${JSON.stringify({ name: 'greeter', private: true, type: 'module' }, null, 2)}\n`,
  );
  await writeFile(join(root, 'test/greet.test.js'), demoTest);
  const run = (...args: string[]) =>
    git(
      'git',
      ['-c', 'user.name=demo', '-c', 'user.email=demo@localhost', '-c', 'commit.gpgsign=false', ...args],
      { cwd: root },
    );
  try {
    await run('init', '-q', '-b', 'main');
    await run('config', 'user.name', 'demo');
    await run('config', 'user.email', 'demo@localhost');
    await run('config', 'commit.gpgsign', 'false');
    await run('add', '.');
    await run('commit', '-q', '-m', 'a test that nothing fulfils yet');
  } catch (error) {
    throw new OperatorError(
      'no-git',
      `The demonstration needs git, and it failed: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`,
      'Install git 2.38 or newer; `untildone doctor` says what is there.',
    );
  }
  return root;
}

const demoTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greet } from '../src/greet.js';

test('greets by name', () => assert.equal(greet('Ada'), 'Hello, Ada!'));
test('greets the world without a name', () => assert.equal(greet(), 'Hello, world!'));
`;
