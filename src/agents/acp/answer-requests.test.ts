import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestBed } from '#test/agents/acp-bed.ts';
import { createWorkspaceFiles, openBelow } from './workspace-files.ts';
import { answerPermission } from './answer-requests.ts';

const { base, cwd, run, dispose } = createTestBed();
afterAll(dispose);

const options = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
const permission = (kind: string | undefined) => ({
  sessionId: 'fake-1',
  options,
  toolCall: { toolCallId: 'p1', title: 'rm -rf', kind },
});
const selected = (optionId: string) => ({ outcome: 'selected', optionId });

describe('ACP permissions', () => {
  const byRole = { permissions: 'by-role', knownKind: '' } as const;

  it.each(['edit', 'delete', 'move', 'execute', 'switch_mode', 'other', 'brand_new', undefined])(
    'Permissions of kind %s are granted once to a builder and never to a read-only role [B7]',
    (kind) => {
      const builder = answerPermission(permission(kind), { ...byRole, readOnly: false });
      expect(builder).toEqual({ isAllowed: true, outcome: selected('yes') });
      const reader = answerPermission(permission(kind), { ...byRole, readOnly: true });
      expect(reader).toEqual({ isAllowed: false, outcome: selected('no') });
    },
  );

  it.each(['read', 'search', 'think', 'fetch'])(
    'Permissions of kind %s are granted to every role',
    (kind) => {
      expect(answerPermission(permission(kind), { ...byRole, readOnly: true }).isAllowed).toBe(true);
    },
  );

  it('A permission request without a kind is judged by the kind of its tool call [B7]', () => {
    const knowing = (knownKind: string) =>
      answerPermission(permission(undefined), { permissions: 'by-role', knownKind, readOnly: true })
        .isAllowed;
    expect([knowing('read'), knowing('edit')]).toEqual([true, false]);
  });

  it('Permissions can be granted to every role or to none', () => {
    const rules = { knownKind: '', readOnly: true };
    expect(answerPermission(permission('edit'), { ...rules, permissions: 'allow' }).isAllowed).toBe(true);
    expect(answerPermission(permission('read'), { ...rules, permissions: 'deny' }).isAllowed).toBe(false);
  });

  it('A permission is answered with an available option: always instead of once, or a cancellation instead of a missing no', () => {
    const [always] = options;
    const only = { ...permission('edit'), options: [always] };
    expect(answerPermission(only, { ...byRole, readOnly: false }).outcome).toEqual(selected('always'));
    expect(answerPermission(only, { ...byRole, readOnly: true })).toEqual({
      isAllowed: false,
      outcome: { outcome: 'cancelled' },
    });
  });

  it('A refused permission shows as a failed tool call, also if the agent reports neither call nor result [B7]', async () => {
    const ask = { method: 'session/request_permission', params: permission('execute') };
    const { text, events } = await run('asks', { flags: { ask }, request: { readOnly: true } });
    expect(text).toBe(JSON.stringify({ outcome: selected('no') }));
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool-call', id: 'p1' }));
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool-result', id: 'p1', isError: true }));
  });
});

describe('file access through ACP', () => {
  const file = join(cwd, 'in.txt');
  writeFileSync(file, 'one\ntwo\nthree\nfour\n');
  writeFileSync(join(base, 'secret.txt'), 'secret');
  symlinkSync(base, join(cwd, 'way-out'));
  symlinkSync(join(base, 'not-there.txt'), join(cwd, 'dangling'));
  const files = createWorkspaceFiles(cwd, false);
  const looking = createWorkspaceFiles(cwd, true);

  it('An ACP agent can read a file, whole and by lines', async () => {
    expect(await looking.read({ path: file })).toEqual({ content: 'one\ntwo\nthree\nfour\n' });
    expect(await files.read({ path: file, line: 2, limit: 2 })).toEqual({ content: 'two\nthree' });
    expect(await files.read({ path: file, line: 4 })).toEqual({ content: 'four\n' });
  });

  it('A read of a missing file, or of something that is no file, is an error', async () => {
    await expect(files.read({ path: join(cwd, 'nope') })).rejects.toMatchObject({ code: -32002 });
    await expect(files.read({ path: cwd })).rejects.toThrow('not a file');
  });

  it('A builder writes files with new folders through ACP, and a read-only role never does [B7]', async () => {
    const path = join(cwd, 'new', 'deep', 'x.txt');
    await expect(looking.write({ path, content: 'x' })).rejects.toThrow('read-only');
    expect(() => readFileSync(path)).toThrow('ENOENT');
    await files.write({ path, content: 'x' });
    expect(readFileSync(path, 'utf8')).toBe('x');
  });

  it.each([
    ['beside the workspace', join(base, 'secret.txt')],
    ['above it', join(cwd, '..', 'secret.txt')],
    ['above it, unresolved', `${cwd}/../secret.txt`],
    ['through a link', join(cwd, 'way-out', 'secret.txt')],
    ['through a link to something new', join(cwd, 'way-out', 'fresh', 'x.txt')],
    ['at the end of a dangling link', join(cwd, 'dangling')],
    ['at a relative path', 'in.txt'],
    ['at no path', ''],
  ])('Access to an ACP file is refused %s', async (_, path) => {
    const refusal = /outside the workspace|must be absolute|leads nowhere/;
    await expect(files.read({ path })).rejects.toThrow(refusal);
    await expect(files.write({ path, content: 'overwritten' })).rejects.toThrow(refusal);
    expect(readFileSync(join(base, 'secret.txt'), 'utf8')).toBe('secret');
    expect(() => readFileSync(join(base, 'not-there.txt'))).toThrow('ENOENT');
  });

  it('ACP file access follows no link that replaces a folder or file meanwhile, and waits for no pipe [C10]', async () => {
    // As if the file was replaced after our check.
    await expect(openBelow(cwd, join(cwd, 'way-out', 'secret.txt'), 'read')).rejects.toThrow(/ELOOP|ENOTDIR/);
    await expect(openBelow(cwd, join(cwd, 'way-out', 'fresh', 'x.txt'), 'write')).rejects.toThrow(/./);
    await expect(openBelow(cwd, join(cwd, 'dangling'), 'write')).rejects.toThrow('ELOOP');
    expect(readdirSync(base)).not.toContain('fresh');
    expect(() => readFileSync(join(base, 'not-there.txt'))).toThrow('ENOENT');
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    await expect(files.read({ path: join(cwd, 'pipe') })).rejects.toThrow('not a file');
    await expect(files.write({ path: join(cwd, 'pipe'), content: 'x' })).rejects.toThrow('cannot be written');
    // Where the checkout belongs is not the agent's to say.
    await expect(files.write({ path: join(cwd, '.git'), content: 'gitdir: /x' })).rejects.toThrow(
      'belongs to git',
    );
  });

  it.each([
    ['fs/write_text_file', { path: join(cwd, 'asked.txt'), content: 'x' }, '{}'],
    ['fs/read_text_file', { path: join(base, 'secret.txt') }, 'outside the workspace'],
    ['terminal/create', { command: 'id' }, 'not offered'],
  ])('An ACP agent gets the documented answer when it asks for %s', async (method, params, answer) => {
    expect((await run('asks', { flags: { ask: { method, params } } })).text).toContain(answer);
  });
});
