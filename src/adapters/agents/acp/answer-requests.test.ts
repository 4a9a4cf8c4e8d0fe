import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestBed } from './test-bed.ts';

const { base, cwd, run, dispose } = createTestBed();
afterAll(dispose);

describe('permissions', () => {
  const options = [
    { optionId: 'always', name: 'Always', kind: 'allow_always' },
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];
  const askFor = (kind: string | undefined) => ({
    ask: {
      method: 'session/request_permission',
      params: { sessionId: 'fake-1', options, toolCall: { toolCallId: 'p1', title: 'rm -rf', kind } },
    },
  });
  const outcome = (optionId: string) => JSON.stringify({ outcome: { outcome: 'selected', optionId } });

  it.each(['edit', 'delete', 'move', 'execute', 'switch_mode', 'other', undefined])(
    'of kind %s are given once to a builder and never to a read-only role [B7]',
    async (kind) => {
      expect((await run('asks', { flags: askFor(kind) })).text).toBe(outcome('yes'));
      const refused = await run('asks', { flags: askFor(kind), request: { readOnly: true } });
      expect(refused.text).toBe(outcome('no'));
      expect(refused.events).toContainEqual(expect.objectContaining({ type: 'tool-call', id: 'p1' }));
      expect(refused.events).toContainEqual(
        expect.objectContaining({ type: 'tool-result', id: 'p1', isError: true }),
      );
    },
  );

  it.each(['read', 'search', 'think', 'fetch'])('of kind %s are given to everybody', async (kind) => {
    expect((await run('asks', { flags: askFor(kind), request: { readOnly: true } })).text).toBe(
      outcome('yes'),
    );
  });

  it('can be given to all or to nobody', async () => {
    const flags = askFor('execute');
    const readOnly = true;
    expect((await run('asks', { flags, options: { permissions: 'deny' } })).text).toBe(outcome('no'));
    expect(
      (await run('asks', { flags, options: { permissions: 'allow' }, request: { readOnly } })).text,
    ).toBe(outcome('yes'));
  });
});

describe('files through us', () => {
  const file = join(cwd, 'in.txt');
  writeFileSync(file, 'one\ntwo\nthree\nfour\n');
  writeFileSync(join(base, 'secret.txt'), 'secret');
  symlinkSync(base, join(cwd, 'way-out'));
  symlinkSync(join(base, 'not-there.txt'), join(cwd, 'dangling'));
  const through = (method: string, params: object, readOnly = false) =>
    run('asks', { flags: { ask: { method, params } }, request: { readOnly } });

  it('are read, whole and by lines', async () => {
    const whole = await through('fs/read_text_file', { path: file }, true);
    expect(whole.text).toBe(JSON.stringify({ content: 'one\ntwo\nthree\nfour\n' }));
    const part = await through('fs/read_text_file', { path: file, line: 2, limit: 2 });
    expect(part.text).toBe(JSON.stringify({ content: 'two\nthree' }));
  });

  it('are written by a builder, with new folders, and never by a read-only role [B7]', async () => {
    const path = join(cwd, 'new', 'deep', 'x.txt');
    const refused = await through('fs/write_text_file', { path, content: 'x' }, true);
    expect(refused.text).toContain('read-only');
    expect(() => readFileSync(path)).toThrow('ENOENT');
    await through('fs/write_text_file', { path, content: 'x' });
    expect(readFileSync(path, 'utf8')).toBe('x');
  });

  it.each([
    ['beside the workspace', join(base, 'secret.txt')],
    ['above it', join(cwd, '..', 'secret.txt')],
    ['through a link', join(cwd, 'way-out', 'secret.txt')],
    ['through a link to something new', join(cwd, 'way-out', 'fresh', 'x.txt')],
    ['at the end of a dangling link', join(cwd, 'dangling')],
    ['at a relative path', 'in.txt'],
  ])('are refused %s', async (_, path) => {
    for (const method of ['fs/read_text_file', 'fs/write_text_file']) {
      const { text } = await through(method, { path, content: 'overwritten' });
      expect(text).toMatch(/outside the workspace|must be absolute|leads nowhere/);
    }
    expect(readFileSync(join(base, 'secret.txt'), 'utf8')).toBe('secret');
    expect(() => readFileSync(join(base, 'not-there.txt'))).toThrow('ENOENT');
  });

  it('are all there is: terminals are refused', async () => {
    expect((await through('terminal/create', { command: 'id' })).text).toContain('not offered');
  });
});
