import { expect, it } from 'vitest';
import { errorLines } from './error-lines.ts';

it('Of an npm failure the reason is shown, and neither the usage nor the path of the log', () => {
  const output = [
    'npm warn Unknown user config "x".',
    'npm error code EUSAGE',
    'npm error',
    'npm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.',
    'npm error',
    'npm error Missing: left-pad@1.3.0 from lock file',
    'npm error',
    'npm error Clean install a project',
    'npm error',
    'npm error Usage:',
    'npm error npm ci',
    'npm error',
    'npm error Options:',
    'npm error [--install-strategy <hoisted|nested|shallow|linked>] [--legacy-bundling]',
    'npm error aliases: clean-install, ic, install-clean, isntall-clean',
    'npm error Run "npm help ci" for more info',
    'npm error A complete log of this run can be found in: /home/x/.npm/_logs/1.log',
  ];
  expect(errorLines(output.join('\n'))).toBe([output[1], output[3], output[5]].join('\n'));
});

it.each([
  [
    'Collecting x\nERROR: No matching distribution found for x\nWARNING: use a newer pip',
    'ERROR: No matching distribution found for x',
  ],
  ['a\nfatal: could not read from remote repository\nb', 'fatal: could not read from remote repository'],
  [' ERR_PNPM_NO_LOCKFILE  Cannot install\nhelp', ' ERR_PNPM_NO_LOCKFILE  Cannot install'],
  ['sh: 1: pnmp: not found', 'sh: 1: pnmp: not found'],
  [
    'Traceback (most recent call last):\n  File "a.py", line 1\nModuleNotFoundError: No module named "x"',
    'ModuleNotFoundError: No module named "x"',
  ],
  ['E: Unable to locate package\r\nok', 'E: Unable to locate package'],
  [
    'make: go: No such file or directory\nmake: *** [Makefile:2: deps] Error 127',
    'make: go: No such file or directory',
  ],
])('Of the output %j the error lines are %j', (output, expected) => {
  expect(errorLines(output)).toBe(expected);
});

it('A long output without an error line is shown by its first and its last lines', () => {
  const lines = Array.from({ length: 40 }, (_, n) => `line ${n}`);
  const shown = errorLines(lines.join('\n')).split('\n');
  expect(shown).toHaveLength(12);
  expect(shown[0]).toBe('line 0');
  expect(shown).toContain('…');
  expect(shown.at(-1)).toBe('line 39');
});

it('Little is shown however long the output is, and nothing of an empty one', () => {
  expect(errorLines(`error: ${'x'.repeat(100_000)}\n`.repeat(50)).length).toBeLessThanOrEqual(1500);
  expect(errorLines(' \n\n')).toBe('');
});

it('The cause that an install script prints after many lines is shown, with the first and the last line', () => {
  const output = [
    'npm error code 1',
    'npm error path /x/node_modules/dep',
    'npm error command failed',
    ...Array.from({ length: 14 }, (_, n) => `npm error gyp info step ${n}`),
    'npm error gyp ERR! find Python You need to install the latest version of Python.',
    ...Array.from({ length: 30 }, (_, n) => `npm error gyp ERR! find Python checked ${n}`),
    'npm error gyp ERR! stack Error: Could not find any Python installation to use',
    ...Array.from({ length: 8 }, (_, n) => `npm error gyp ERR! stack at step ${n}`),
    'npm error gyp ERR! not ok',
  ];
  const shown = errorLines(output.join('\n')).split('\n');
  expect(shown.length).toBeLessThanOrEqual(12);
  expect(shown.slice(0, 4)).toEqual([...output.slice(0, 3), '…']);
  expect(shown).toContain('npm error gyp ERR! find Python You need to install the latest version of Python.');
  expect(shown).toContain('npm error gyp ERR! stack Error: Could not find any Python installation to use');
  expect(shown.at(-1)).toBe('npm error gyp ERR! not ok');
});

it('Long lines are cut, and the last one is still shown', () => {
  const lines = Array.from({ length: 30 }, (_, n) => `error: ${n} ${'x'.repeat(400)}`);
  const shown = errorLines(lines.join('\n'));
  expect(shown.length).toBeLessThanOrEqual(1500);
  expect(shown.split('\n').at(-1)).toContain('error: 29 ');
});
