import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sandboxContract } from '#testing/contracts/sandbox.ts';
import { describe, expect, it } from 'vitest';
import { findSrt } from './find-srt.ts';
import { createSrtSandbox } from './srt-sandbox.ts';

const found = findSrt();

if ('path' in found) {
  const { path } = found;
  sandboxContract({
    name: 'srt',
    ownProgram: [
      process.execPath,
      join(dirname(fileURLToPath(import.meta.url)), '../../../..', 'node_modules'),
    ],
    create: (rules) => createSrtSandbox({ program: path, rules }),
    deviations: {
      commits: 'it cannot show another folder in the place of the git folder, so that git can only read',
      copies: 'it cannot show a copy in the place of a file',
      'own home': 'the home folder is hidden but for what is shown, and cannot be written',
      'loopback by its number': 'its network has no ports of this machine, only a proxy',
    },
  });
}

describe('srt', () => {
  it('is found with all that it needs, or says what is missing', () => {
    expect('path' in found || /not installed|needs|not used/.test(found.problem)).toBe(true);
  });
});
