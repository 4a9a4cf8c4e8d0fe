import { execFileSync } from 'node:child_process';
import { chmod, link, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { openStage } from '#test/agents/fake-session.ts';
import type { Stage } from '#test/agents/fake-session.ts';
import { createToolbox } from './toolbox.ts';
import { plainEnv, sessionRequest } from '#test/agents/session-request.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
  await writeFile(join(stage.root, 'secret'), 'outside');
});
afterEach(async () => {
  await stage.dispose();
});

function open(readOnly = false) {
  const env = { PATH: plainEnv.PATH, HOME: stage.root };
  const request = sessionRequest({
    cwd: stage.cwd,
    prompt: '',
    readOnly,
    env,
    graceMs: 100,
    mark: `toolbox-${process.pid}/1`,
    processes: createProcesses({ confine: 'marker' }),
  });
  const toolbox = createToolbox(request, env);
  const use = (name: string, args: unknown) =>
    toolbox.use({ id: '1', name, argumentsText: JSON.stringify(args) });
  return { toolbox, use };
}

describe('tools inside the workspace', () => {
  it.each([
    '../secret',
    'a/../../secret',
    './sub/../../secret',
    '/etc/passwd',
    '~/secret',
    'C:\\windows',
    'link-to-secret',
    'link-to-root/secret',
    'sub/link-up/secret',
    'a\0b',
  ])('The tools refuse %j for reading and for writing [X11]', async (path) => {
    await mkdir(join(stage.cwd, 'sub'));
    await symlink(join(stage.root, 'secret'), join(stage.cwd, 'link-to-secret'));
    await symlink(stage.root, join(stage.cwd, 'link-to-root'));
    await symlink('../..', join(stage.cwd, 'sub/link-up'));
    const { use } = open();
    for (const [tool, args] of [
      ['read', {}],
      ['write', { content: 'overwritten' }],
      ['edit', { old: 'outside', new: 'overwritten' }],
      ['list', {}],
      ['search', { pattern: 'outside' }],
    ] as const) {
      const { isError, text } = await use(tool, { path, ...args });
      expect([tool, isError]).toEqual([tool, true]);
      expect(text).not.toContain(':outside');
    }
    expect(await readFile(join(stage.root, 'secret'), 'utf8')).toBe('outside');
  });

  it('The tools refuse a link that leads outside to a path that does not exist yet [X11]', async () => {
    await symlink(join(stage.root, 'planted'), join(stage.cwd, 'dangling'));
    await symlink(join(stage.root, 'no-folder'), join(stage.cwd, 'nowhere'));
    const { use } = open();
    for (const path of ['dangling', 'nowhere/file', 'nowhere/sub/file']) {
      const { isError, text } = await use('write', { path, content: 'x' });
      expect([isError, text]).toEqual([true, expect.stringContaining('leads nowhere')]);
    }
    await expect(readFile(join(stage.root, 'planted'))).rejects.toThrow('ENOENT');
  });

  it('The tools follow links that stay inside the workspace', async () => {
    await mkdir(join(stage.cwd, 'real'));
    await writeFile(join(stage.cwd, 'real/f'), 'inside');
    await symlink('real', join(stage.cwd, 'alias'));
    const { use } = open();
    expect((await use('read', { path: 'alias/f' })).text).toBe('inside');
    expect((await use('write', { path: 'alias/new/deep', content: 'x' })).isError).toBe(false);
    expect(await readFile(join(stage.cwd, 'real/new/deep'), 'utf8')).toBe('x');
    expect((await use('read', { path: 'new/../real/f' })).text).toBe('inside');
  });

  it('The tools leave the git history alone', async () => {
    await mkdir(join(stage.cwd, '.git/hooks'), { recursive: true });
    const { use } = open();
    for (const path of ['.git/hooks/pre-commit', '.GIT/config', 'sub/.git']) {
      expect(await use('write', { path, content: 'x' })).toMatchObject({ isError: true });
    }
  });

  it('The tools do not wait for a pipe, and do not show binary or huge files', async () => {
    execFileSync('mkfifo', [join(stage.cwd, 'pipe')]);
    await writeFile(join(stage.cwd, 'binary'), Buffer.from([1, 0, 2]));
    await writeFile(join(stage.cwd, 'huge'), 'x'.repeat(10_000_001));
    const { use } = open();
    expect((await use('read', { path: 'pipe' })).text).toContain('no regular file');
    expect((await use('write', { path: 'pipe', content: 'x' })).text).toContain('no regular file');
    expect((await use('read', { path: 'binary' })).text).toContain('binary');
    expect((await use('read', { path: 'huge' })).text).toContain('more than can be read here');
    expect((await use('read', { path: '.' })).text).toContain('folder');
  });
});

describe('the tools', () => {
  it('The read tool reads a long file in parts', async () => {
    await writeFile(
      join(stage.cwd, 'long'),
      Array.from({ length: 2_000 }, (_, index) => `line ${index + 1}`).join('\n'),
    );
    const { use } = open();
    expect((await use('read', { path: 'long' })).text).toMatch(/^\[lines 1 to 600 of 2000\]\nline 1\n/);
    expect((await use('read', { path: 'long', from: '1999', lines: 5 })).text).toBe(
      '[lines 1999 to 2000 of 2000]\nline 1999\nline 2000',
    );
    await writeFile(join(stage.cwd, 'wide'), `${'x'.repeat(150)}\n`.repeat(400));
    const wide = (await use('read', { path: 'wide' })).text;
    expect(wide).toMatch(/^\[lines 1 to 132 of 401\]\n/);
    expect(wide).not.toContain('left out');
    expect((await use('read', { path: 'long', from: 3_000 })).isError).toBe(true);
    expect((await use('read', { path: 'long', from: -1 })).text).toContain('whole number');
  });

  it('The tools shorten long output, and keep head and tail', async () => {
    const { use } = open();
    const { text } = await use('run', { command: 'echo first; yes middle | head -c 3000000; echo last' });
    expect(text.length).toBeLessThan(25_000);
    expect(text).toContain('first');
    expect(text).toContain('characters left out');
    expect(text.trimEnd().endsWith('last')).toBe(true);
  });

  it('The edit tool changes one passage, or all of them on request, with the line ends of the file', async () => {
    await writeFile(join(stage.cwd, 'f'), 'a\r\nb\r\na\r\n');
    const { use } = open();
    expect((await use('edit', { path: 'f', old: 'a', new: 'c' })).text).toContain('2 times');
    expect((await use('edit', { path: 'f', old: 'a\nb', new: 'x\ny' })).isError).toBe(false);
    expect(await readFile(join(stage.cwd, 'f'), 'utf8')).toBe('x\r\ny\r\na\r\n');
    expect((await use('edit', { path: 'f', old: '', new: 'c' })).isError).toBe(true);
    expect((await use('edit', { path: 'f', old: 'y', new: '$&', all: true })).isError).toBe(false);
    expect(await readFile(join(stage.cwd, 'f'), 'utf8')).toBe('x\r\n$&\r\na\r\n');
  });

  it('The edit tool keeps the mode of a file and its hard links', async () => {
    await writeFile(join(stage.cwd, 'script'), 'old');
    await chmod(join(stage.cwd, 'script'), 0o755);
    await link(join(stage.cwd, 'script'), join(stage.cwd, 'twin'));
    const { use } = open();
    await use('write', { path: 'script', content: 'echo new' });
    expect(await readFile(join(stage.cwd, 'twin'), 'utf8')).toBe('echo new');
    expect((await use('run', { command: './script' })).text).toBe('[exit 0]\nnew\n');
  });

  it('The list and search tools omit what git ignores, and .git', async () => {
    await mkdir(join(stage.cwd, 'node_modules/x'), { recursive: true });
    await mkdir(join(stage.cwd, 'src'));
    await writeFile(join(stage.cwd, '.gitignore'), 'node_modules\n');
    await writeFile(join(stage.cwd, 'node_modules/x/a.js'), 'needle');
    await writeFile(join(stage.cwd, 'src/a.js'), 'one\nthe Needle(1)\n');
    for (const isRepository of [false, true]) {
      if (isRepository) execFileSync('git', ['init', '-q', stage.cwd]);
      const { use } = open(true);
      const listed = (await use('list', {})).text.split('\n');
      expect(listed).toEqual(expect.arrayContaining(['.gitignore', 'node_modules/', 'src/', 'src/a.js']));
      expect(listed).not.toContain('node_modules/x/');
      expect((await use('search', { pattern: 'needle', ignoreCase: true })).text).toBe(
        'src/a.js:2:the Needle(1)',
      );
      expect((await use('search', { pattern: 'Needle\\(1\\)', path: 'src' })).text).toContain('src/a.js:2');
      expect((await use('search', { pattern: 'absent' })).text).toBe('No line matches.');
      expect(await use('search', { pattern: '(' })).toMatchObject({ isError: true });
      expect((await use('search', { pattern: '--open-files-in-pager=touch x' })).text).toBe(
        'No line matches.',
      );
    }
  });

  it('The run tool ends a command at its limit with everything that it started, and says so [Q6]', async () => {
    const { use } = open();
    const { text } = await use('run', { command: 'setsid sleep 300 & echo begun; sleep 300', seconds: 1 });
    expect(text).toMatch(/^\[timed out after [\d.]+ s\]\nbegun/);
  });

  it('The tools start nothing after they are stopped', async () => {
    const { toolbox, use } = open();
    const running = use('run', { command: 'echo begun; sleep 300' });
    toolbox.stop('enough');
    expect((await running).text).toContain('cancelled: enough');
    expect(await use('run', { command: 'touch late' })).toMatchObject({ isError: true });
    await expect(readFile(join(stage.cwd, 'late'))).rejects.toThrow('ENOENT');
  });

  it('The tools answer even if the workspace is gone', async () => {
    const { use } = open();
    await rm(stage.cwd, { recursive: true });
    for (const tool of ['read', 'list', 'write', 'run']) {
      const { isError, text } = await use(tool, { path: 'f', content: 'x', command: 'true' });
      expect([tool, isError || text.includes('could not be started')]).toEqual([tool, true]);
    }
  });
});
