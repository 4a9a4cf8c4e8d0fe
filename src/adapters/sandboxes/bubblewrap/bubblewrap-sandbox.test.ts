import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sandboxContract } from '#testing/contracts/sandbox.ts';
import { describe, expect, it } from 'vitest';
import { createBubblewrapSandbox } from './bubblewrap-sandbox.ts';
import { findBubblewrap } from './find-bubblewrap.ts';
import { mountArguments } from './mounts.ts';

const found = findBubblewrap();
const source = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const ownProgram = [process.execPath, source, join(source, '../package.json')];
const bridge = [process.execPath, join(source, 'surfaces/host/main.ts'), 'bridge'] as const;

sandboxContract({
  name: 'bubblewrap',
  missing: 'problem' in found ? found.problem : null,
  ownProgram,
  create: (rules) =>
    createBubblewrapSandbox({
      bubblewrap: 'path' in found ? found.path : '',
      rules,
      bridge,
      env: process.env,
    }),
});

describe('mounts', () => {
  it('put what lies deeper later, and shut what is hidden at the end', () => {
    const args = mountArguments([
      { kind: 'write', path: '/usr/lib', from: '/usr/lib' },
      { kind: 'hide', path: '/usr' },
    ]);
    expect(args).toEqual(['--tmpfs', '/usr', '--bind', '/usr/lib', '/usr/lib', '--remount-ro', '/usr']);
  });

  it('take the later of two for one path, and leave out what is not there', () => {
    const args = mountArguments([
      { kind: 'hide', path: '/usr' },
      { kind: 'read', path: '/usr' },
      { kind: 'write', path: '/nowhere/at/all' },
    ]);
    expect(args).toEqual(['--ro-bind', '/usr', '/usr']);
  });
});
