import { expect, it } from 'vitest';
import { runsAfterLanding } from './after-landing.ts';

const none = new Map<string, string>();
const named = (path: string, entry = '100644 aa', hooksFolder: string | null = null): boolean =>
  runsAfterLanding({ before: none, after: new Map([[path, entry]]), hooksFolder }).length === 1;

it.each([
  '.envrc',
  'packages/a/.envrc',
  '.husky/pre-commit',
  '.githooks/post-merge',
  '.vscode/tasks.json',
  '.VSCode/Tasks.json',
  '.vscode/settings.json',
  '.vscode/launch.json',
  'team.code-workspace',
  'devcontainer.json',
  '.devcontainer.json',
  '.devcontainer/devcontainer.json',
  '.devcontainer/post-create.sh',
  '.idea/runConfigurations/All.xml',
  '.zed/tasks.json',
  'mise.toml',
  '.mise.toml',
  '.tool-versions',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.mcp.json',
  '.cursor/mcp.json',
])('A file that an editor, a shell, git or an agent runs after landing is named: %s [X13]', (path) => {
  expect(named(path)).toBe(true);
});

it.each([
  '.env',
  'src/envrc.ts',
  '.vscode/extensions.json',
  'docs/devcontainer.json.md',
  'src/mise.ts',
  'husky/a',
])('A file that no tool runs by itself is not named: %s [X13]', (path) => {
  expect(named(path)).toBe(false);
});

it('The folder that core.hooksPath names counts, and no folder beside it [X13]', () => {
  expect(named('tools/hooks/pre-push', '100755 aa', 'tools/hooks')).toBe(true);
  expect(named('tools/hooks-old/pre-push', '100755 aa', 'tools/hooks')).toBe(false);
});

it('A link in the place of such a folder is named, and a plain file is not [X13]', () => {
  expect(named('.vscode', '120000 aa')).toBe(true);
  expect(named('.vscode', '100644 aa')).toBe(false);
});

it('Files that the work adds, changes or makes executable are named; files that stay or go are not [X13]', () => {
  const before = new Map([
    ['.husky/a', '100644 aa'],
    ['.vscode/tasks.json', '100644 bb'],
    ['.mcp.json', '100644 cc'],
    ['.tool-versions', '100644 dd'],
  ]);
  const after = new Map([
    ['.cursor/mcp.json', '100644 ee'],
    ['.husky/a', '100755 aa'],
    ['.vscode/tasks.json', '100644 b2'],
    ['.mcp.json', '100644 cc'],
  ]);
  expect(runsAfterLanding({ before, after, hooksFolder: null })).toMatchObject([
    { path: '.husky/a', change: 'changed' },
    { path: '.vscode/tasks.json', change: 'changed' },
    { path: '.cursor/mcp.json', change: 'added' },
  ]);
});
