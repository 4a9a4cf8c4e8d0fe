// `import`, with a program on PATH that replaces `gh`.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperatorError } from '#base/operator-error.ts';
import type { ImportOptions } from './import-action.ts';
import { importInto } from './import-action.ts';

let folder = '';
let repo = '';

function imported(file: string | undefined, options: ImportOptions, input = '') {
  const ownEnv = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder };
  return importInto({ cwd: repo, root: repo, ownEnv }, file, options, async () => input);
}

function gh(script: string): void {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'bin/gh'), `#!/bin/sh\necho "$@" > '${folder}/asked'\n${script}\n`);
  chmodSync(join(folder, 'bin/gh'), 0o755);
}

const tasks = (): string => readFileSync(join(repo, '.untildone/tasks.md'), 'utf8');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-import-'));
  repo = join(folder, 'repo');
  mkdirSync(repo);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('untildone import [Q1]', () => {
  it('Import names the checks that a line of markdown cannot express, because a person decides them then', async () => {
    const check = { url: 'http://localhost:{port}/', serve: 'npm start' };
    const task = { title: 'Serve', criteria: [{ text: 'it answers', check }, 'it is kind (human)'] };
    const { notes } = await imported('-', { out: 'served.md', from: 'json' }, JSON.stringify([task]));
    expect(notes).toEqual([
      `task-1: the check of "it answers" does not fit on a line of markdown, so a person decides it. Write another check, or run the tasks from their original file. It was ${JSON.stringify(check)}`,
    ]);
    expect(readFileSync(join(repo, 'served.md'), 'utf8')).toContain('- [ ] it answers (human)');
  });

  it('Import reads the issues through gh, marks issues without criteria, and never overwrites by itself', async () => {
    const issue = (number: number, body: string) => ({
      body,
      labels: [{ id: 'LA_1', name: 'ready', description: 'to be worked on', color: '0e8a16' }],
      number,
      title: `Issue ${number}`,
    });
    const list = (...issues: object[]): string => `cat <<'EOF'\n${JSON.stringify(issues)}\nEOF`;
    gh(list(issue(7, 'No word on it.'), issue(3, '- [ ] it works (check: npm test)')));
    expect(await imported(undefined, { from: 'github', label: ['ready', 'x y'], limit: '5' })).toMatchObject({
      file: '.untildone/tasks.md',
      tasks: [{ id: 'GH-3' }, { id: 'GH-7' }],
      withoutCriteria: ['GH-7'],
    });
    expect(readFileSync(join(folder, 'asked'), 'utf8').trim()).toBe(
      'issue list --state open --limit 5 --label ready --label x y --json number,title,body,labels',
    );
    const written = tasks();
    expect(written).toMatch(/## Task GH-3: Issue 3[^]*\(check: npm test\)[^]*## Task GH-7[^]*\(human\)/);

    await expect(imported(undefined, { from: 'github' })).rejects.toThrow(
      '.untildone/tasks.md already exists.',
    );
    expect(tasks()).toBe(written);
    gh(list(issue(7, 'x'), issue(8, '- [ ] new')));
    const more = await imported(undefined, { from: 'github', append: true });
    expect(more).toMatchObject({ tasks: [{ id: 'GH-8' }], leftOut: 1, withoutCriteria: [] });
    expect(tasks().startsWith(written.trimEnd())).toBe(true);
    const lines = '{"title":"a","criteria":["x"]}\n{"title":"b","criteria":["y"]}\n';
    await imported('-', { force: true }, lines);
    expect(tasks().match(/^## .*/gm)).toEqual(['## Task 1: a', '## Task 2: b']);
    // A number is no name: what is new comes with a free one, what is there is known by its title.
    const notes = '- [ ] c\n- [ ] a\n';
    expect(await imported('-', { append: true }, notes)).toMatchObject({
      tasks: [{ title: 'c' }],
      leftOut: 1,
    });
    const other =
      '## Task 1: d\n**Acceptance Criteria**:\n- [ ] x\n\n## Task 2: e\n**Depends on**: Task 1\n**Acceptance Criteria**:\n- [ ] y\n';
    await imported('-', { append: true }, other);
    expect(tasks().match(/^## .*|^\*\*Depends.*/gm)).toEqual([
      '## Task 1: a',
      '## Task 2: b',
      '## Task 3: c',
      '## Task 4: d',
      '## Task 5: e',
      '**Depends on**: task-4',
    ]);
    // Lines of JSON stay lines, also where one is broken.
    const broken = '{"title":"a","criteria":["x"]}\n{"title":\n';
    await expect(imported('-', { append: true }, broken)).rejects.toThrow('standard input:2:');
  });

  it.each([
    ['absent', null, 'gh-missing', '`gh` was not found'],
    [
      'a stranger',
      'echo "To get started with GitHub CLI, please run:  gh auth login" >&2; exit 4',
      'gh-login',
      'gh auth login',
    ],
    ['outside', 'echo "no git remotes found" >&2; exit 1', 'gh-failed', 'no git remotes found'],
    ['babbling', 'echo "<html>"', 'bad-import', 'does not contain a list of issues'],
  ])('Import reports a problem with gh in one sentence: %s [X6]', async (_, script, code, words) => {
    rmSync(join(folder, 'bin'), { recursive: true, force: true });
    if (script !== null) gh(script);
    const trouble: unknown = await imported(undefined, { from: 'github', out: 'other.md' }).catch(
      (error: unknown) => error,
    );
    expect(trouble).toBeInstanceOf(OperatorError);
    const { code: said, message, hint } = trouble as OperatorError;
    expect(said).toBe(code);
    expect(`${message} ${hint}`).toContain(words);
    expect(existsSync(join(repo, 'other.md'))).toBe(false);
  });

  it('Import reports missing or mistyped arguments [X6]', async () => {
    await expect(imported(undefined, {})).rejects.toThrow('There is nothing to import.');
    await expect(imported('x.md', { from: 'githb' })).rejects.toMatchObject({
      hint: 'Did you mean "github"?',
    });
    await expect(imported('gone.md', { out: 'fresh.md' })).rejects.toMatchObject({
      message: 'The task file gone.md cannot be read: there is no such file.',
      hint: expect.stringContaining('untildone import tasks/login.md') as string,
    });
    await expect(imported('x.md', { label: ['a'] })).rejects.toThrow('--label and --limit are for issues');
  });
});
