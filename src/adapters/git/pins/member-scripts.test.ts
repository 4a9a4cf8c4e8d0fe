// Workspace members: the scripts that `npm test --workspaces` runs are pinned in each of them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPinnedSample, type PinnedSample } from '#test/git/pinned-sample.ts';

const manifest = (value: object): string => JSON.stringify(value);
let pinned: PinnedSample | undefined;

async function brokenWith(run: string): Promise<string[]> {
  pinned = await openPinnedSample(
    {
      'package.json': manifest({
        workspaces: ['packages/*'],
        scripts: { all: 'run-s test:*', 'test:unit': 'node checks/unit.mjs', build: 'x' },
      }),
      'turbo.json': manifest({ tasks: { verify: { dependsOn: ['^test'] } } }),
      'checks/unit.mjs': '\n',
      'packages/a/package.json': manifest({ name: '@me/a', scripts: { test: 'node check.mjs', start: 'x' } }),
      'packages/a/check.mjs': '\n',
      'packages/b/package.json': manifest({ name: '@me/b', scripts: { test: 'node check.mjs' } }),
      'packages/b/check.mjs': '\n',
    },
    [run],
  );
  return pinned.brokenBy({
    'packages/a/package.json': manifest({ name: '@me/a', scripts: { test: 'true', start: 'y' } }),
    'packages/b/check.mjs': 'process.exit(0)\n',
    'checks/unit.mjs': 'process.exit(0)\n',
  });
}

describe('scripts of workspace members', () => {
  beforeEach(() => {
    pinned = undefined;
  });
  afterEach(() => pinned?.sample.remove());

  const [a, b, unit] = [
    'packages/a/package.json#scripts.test changed',
    'packages/b/check.mjs changed',
    'checks/unit.mjs changed',
  ];

  it.each([
    ['npm test --workspaces', [a, b]],
    ['pnpm -r test', [a, b]],
    ['yarn workspaces foreach -A run test', [a, b]],
    ['turbo run verify', [a, b]],
    ['npm test -w @me/a', [a]],
    ['pnpm --filter ./packages/b test', [b]],
    ['npm run all', [unit]],
    ['npm run build', []],
  ])('The command %s pins the scripts that it runs, with what they name: %j [X8]', async (run, broken) => {
    expect((await brokenWith(run)).toSorted()).toEqual(broken.toSorted());
  });
});
