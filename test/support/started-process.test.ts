import { expect, it } from 'vitest';
import { countKinds, describeStart, startOf } from './started-process.ts';

const shell = ['/bin/sh', '-c', 'test -s README.md'];
const bridged = [process.execPath, '/dist/host.js', 'bridge', '/run/proxy', '80,443', ...shell];
const sandboxed = [
  '/usr/bin/bwrap',
  '--ro-bind',
  '/',
  '/',
  '--tmpfs',
  '/home',
  '--symlink',
  'a',
  '/b',
  '--',
  ...bridged,
];

it('A sandboxed shell counts as bubblewrap, as the bridge to the network, and as a shell', () => {
  expect(startOf(sandboxed).kinds).toEqual(['bwrap', 'node', 'sh']);
});

it('A program that ends with its parent counts as itself', () => {
  expect(
    startOf(['setpriv', '--pdeathsig', 'SIGKILL', '--', '/usr/bin/git', 'add', '--', 'x']).kinds,
  ).toEqual(['git']);
});

it('Programs of other kinds are not counted', () => {
  const counts = countKinds([
    startOf(['npm', 'config', 'list']),
    startOf(['cat', '--', 'sh']),
    startOf(sandboxed),
  ]);
  expect(counts).toEqual({ git: 0, bwrap: 1, sh: 1, node: 1 });
});

it('The mounts of a sandbox are known by their operation and by their path inside', () => {
  expect(startOf(sandboxed).mounts).toEqual([
    { name: 'ro-bind', path: '/' },
    { name: 'tmpfs', path: '/home' },
    { name: 'symlink', path: '/b' },
  ]);
  expect(startOf(['sh', '-c', 'bwrap --tmpfs /home']).mounts).toEqual([]);
});

it('A start is described in one line, without its constant words', () => {
  const git = startOf(['setpriv', '--pdeathsig', 'SIGKILL', '--', 'git', '-c', 'gc.auto=0', 'write-tree']);
  expect(describeStart(git)).toBe('git write-tree');
  expect(describeStart(startOf(['bwrap', '--proc', '/proc', '--', ...shell]))).toBe(
    'bwrap, 1 mounts: /bin/sh -c test -s README.md',
  );
});
