import { describe, expect, it } from 'vitest';
import { scriptCalls } from './script-calls.ts';

const namesIn = (text: string): string[] => scriptCalls(text).flatMap(({ names }) => names);

describe('scriptCalls', () => {
  it.each([
    ['npm test', ['test']],
    ['npm t', ['test']],
    ['npm run -s lint && pnpm build', ['lint', 'build']],
    ['npm --prefix pkg run check', ['check']],
    ['CI=1 yarn check:all', ['check:all']],
    ['npm ci', []],
    ['node --run check', ['check']],
    ['\t@npm test -- --watch=false', ['test']],
    ["execSync('npm test')", ['test']],
    ["spawn('npm', ['run', 'check'])", ['check']],
    ['run-s lint "test:*" && npm-run-all --parallel a b', ['lint', 'test:*', 'a', 'b']],
    ['concurrently "npm:test:*"', ['test:*']],
  ])('The command %s runs %j of the package alone [X8]', (run, names) => {
    expect(namesIn(run)).toEqual(names);
    expect(scriptCalls(run).every(({ members }) => members === 'none')).toBe(true);
  });

  it.each([
    ['npm test --workspaces', 'all'],
    ['npm test -ws --if-present', 'all'],
    ['npm run test --workspace packages/a', ['packages/a']],
    ['npm test -w @me/a', ['@me/a']],
    ['npm run --workspace=a test', ['a']],
    ['pnpm -r test', 'all'],
    ['pnpm --recursive run test', 'all'],
    ['pnpm --filter a test', ['a']],
    ['pnpm --filter "./packages/**" test', 'all'],
    ['pnpm -F ...a test', 'all'],
    ['yarn workspaces run test', 'all'],
    ['yarn workspaces foreach -Apt run test', 'all'],
    ['yarn workspace @me/a test', ['@me/a']],
    ['bun run --filter "*" test', 'all'],
    ['npx turbo run test --filter=a', 'all'],
    ['turbo test', 'all'],
    ['lerna run test --scope a', 'all'],
    ['nx run-many --target=test', 'all'],
    ['nx run app:test', 'all'],
  ])('The command %s runs `test` of members: %j [X8]', (run, members) => {
    const [call] = scriptCalls(run);
    expect(call?.names).toContain('test');
    expect(call?.members).toEqual(members);
  });
});
