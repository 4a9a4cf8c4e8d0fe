// Tests whether bubblewrap works on this machine for this user.
import { spawnSync } from 'node:child_process';
import { findProgram } from '#adapters/processes/program.ts';
import { tryOnce } from '#adapters/processes/tried-programs.ts';
import { namespaces } from './bubblewrap-sandbox.ts';
import { machineFiles } from './machine-files.ts';

export type BubblewrapSearch = { readonly path: string } | { readonly problem: string };

/** Tried once per run and process: it costs about 20 ms. */
export function findBubblewrap(): BubblewrapSearch {
  if (process.platform !== 'linux') return { problem: 'bubblewrap is for Linux alone' };
  const path = tryOnce('bubblewrap as a sandbox', () => {
    const found = tryIt();
    if ('path' in found) return found.path;
    problem = found.problem;
    return null;
  });
  return path === null ? { problem } : { path };
}

let problem = 'bubblewrap does not work here';

function tryIt(): BubblewrapSearch {
  const program = findProgram('bwrap', process.env['PATH'], '/');
  if (!('path' in program)) return { problem: 'bubblewrap is not installed (apt-get install bubblewrap)' };
  const files = [...machineFiles(), '--tmpfs', '/tmp', '--remount-ro', '/tmp'];
  const trial = spawnSync(
    program.path,
    [...namespaces, '--unshare-net', ...files, '--', '/bin/sh', '-c', 'exit 42'],
    { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], timeout: 5_000 },
  );
  if (trial.status === 42) return { path: program.path };
  const reason = (trial.stderr ?? '').trim().split('\n').at(-1) ?? '';
  return { problem: `bubblewrap does not work here (${reason.slice(0, 160) || 'no reason given'})` };
}
