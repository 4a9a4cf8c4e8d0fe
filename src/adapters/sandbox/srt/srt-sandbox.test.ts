import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sandboxContract } from '#test/sandbox/contract.ts';
import { describe, expect, it } from 'vitest';
import { findSrt } from './find-srt.ts';
import { installSrt } from '#test/sandbox/install-srt.ts';
import { createSrtSandbox } from './srt-sandbox.ts';

const packages = join(dirname(fileURLToPath(import.meta.url)), '../../../..', 'node_modules');
const found = await installSrt(join(packages, '.cache'));

if ('problem' in found) process.stderr.write(`The contract of srt is NOT RUN: ${found.problem}\n`);

sandboxContract({
  name: 'srt',
  missing: 'problem' in found ? found.problem : null,
  ownProgram: [process.execPath, packages],
  create: (rules) => createSrtSandbox({ program: 'path' in found ? found.path : '', rules }),
  deviations: {
    commits: 'it cannot show another folder in the place of the git folder, so that git can only read',
    remotes: 'it cannot show settings without their passwords, so that it hides those that have one',
    ...(process.getuid?.() === 0 ? { kernel: 'as root it is not used: see find-srt.ts' } : {}),
    calls: 'its filter of system calls is its own',
    copies: 'it cannot show a copy in the place of a file, nor another folder in the place of one',
    'own home': 'the home folder is hidden but for what is shown, and cannot be written',
    'loopback by its number': 'its network has no ports of this machine, only a proxy',
  },
});

describe('the srt sandbox', () => {
  it('The srt sandbox is found with all its dependencies, or names the missing ones', () => {
    const here = findSrt();
    expect('path' in here || /not installed|needs|not used/.test(here.problem)).toBe(true);
    expect(findSrt('file:///nowhere/at/all.js')).toHaveProperty('problem');
  });
});
