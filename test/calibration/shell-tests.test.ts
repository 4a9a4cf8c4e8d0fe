import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { calibrateCase, type Calibrated, type Files } from '#test/calibration-bed.ts';

const hasMake = ['make'].every((program) => spawnSync(program, ['--version']).status === 0);
if (!hasMake) process.stderr.write('NOT RUN: make is missing; what needs it is not tested.\n');

const source = { add: 'add() {\n  echo 0\n}\n', gap: 'gap() {\n  echo $(($1 - $2))\n}\n' };
const test = (name: string, result: number): string =>
  `. ./src/${name}.sh\n[ "$(${name} 3 4)" = ${result} ] || exit 1\n`;
const files: Files = {
  'src/add.sh': source.add,
  'src/gap.sh': source.gap,
  'tests/add.test.sh': test('add', 7),
  'tests/gap.test.sh': test('gap', -1),
};
const within = (folder: string, inside: Files): Files =>
  Object.fromEntries(Object.entries(inside).map(([path, text]) => [`${folder}/${path}`, text]));
const loop = 'for t in tests/*.test.sh; do sh "$t" || exit 1; done';
const member = JSON.stringify({ name: 'sub', version: '1.0.0', scripts: { test: 'sh run.sh' } });

type Ground = readonly [string, { readonly base: Files; readonly check: string; readonly folder?: string }];

const grounds: readonly Ground[] = [
  ['a loop of the command', { base: files, check: loop }],
  ['a loop in a script', { base: { ...files, 'run.sh': `set -e\n${loop}\n` }, check: 'sh run.sh' }],
  [
    'a script that a script starts',
    {
      base: {
        ...files,
        'ci.sh': 'here=$(dirname "$0")\nsh "$here"/scripts/run.sh\n',
        'scripts/run.sh': 'status=0\nfor t in tests/*; do sh $t || status=1; done\nexit $status\n',
      },
      check: './ci.sh',
    },
  ],
  [
    'scripts in another folder',
    {
      base: within('sub', { ...files, 'run.sh': 'sh tests/add.test.sh && sh tests/gap.test.sh\n' }),
      check: 'cd sub && sh run.sh',
      folder: 'sub',
    },
  ],
  [
    'the script of a member of a workspace',
    {
      base: {
        ...within('sub', { ...files, 'run.sh': `${loop}\n`, 'package.json': member }),
        'package.json': JSON.stringify({ name: 'all', private: true, workspaces: ['sub'] }),
      },
      check: 'npm test --workspaces',
      folder: 'sub',
    },
  ],
  ...(hasMake
    ? ([
        [
          'a loop in a Makefile',
          {
            base: { ...files, Makefile: `check:\n\t@${loop.replaceAll('$', '$$$$')}\n` },
            check: 'make check',
          },
        ],
        [
          'a Makefile in another folder',
          {
            base: within('sub', {
              ...files,
              Makefile: 'check:\n\tsh tests/add.test.sh\n\tsh tests/gap.test.sh\n',
            }),
            check: 'make -C sub check',
            folder: 'sub',
          },
        ],
      ] as const)
    : []),
];

const attacks = {
  'exits in a handler': "trap 'exit 0' EXIT\nadd() {\n  echo 0\n}\n",
  'replaces the assertion': '[() {\n  return 0\n}\nadd() {\n  echo 0\n}\n',
};

describe.each(grounds)('Shell tests behind %s', (_, { base, check, folder }) => {
  const accept = (text: string): Promise<Calibrated> =>
    calibrateCase({
      base,
      work: { [folder === undefined ? 'src/add.sh' : `${folder}/src/add.sh`]: text },
      check,
      isAlone: true,
    });

  it('Calibration of shell tests passes honest work [X7]', async () => {
    const { evidence, calibration } = await accept('add() {\n  echo $(($1 + $2))\n}\n');
    expect(evidence.verdict).toBe('pass');
    expect(calibration.find(({ kind }) => kind === 'planted-failure')?.verdict).toBe('passed');
  });

  it('Calibration of shell tests refuses work that exits when it is loaded [X8]', async () => {
    const { evidence } = await accept('exit 0\n');
    expect(evidence.reason).toContain('stays green with a failing test in');
  });
});

describe('Shell tests', () => {
  it.each(Object.entries(attacks))(
    'Calibration of shell tests refuses work that %s [X8]',
    async (_, text) => {
      const { evidence } = await calibrateCase({
        base: files,
        work: { 'src/add.sh': text },
        check: loop.replace('sh "$t"', 'bash "$t"'),
        isAlone: true,
      });
      expect(evidence.reason).toContain('stays green with a failing test in tests/add.test.sh');
    },
  );

  it('Calibration of shell tests accepts a test that exits with 0 before its end [X7]', async () => {
    const { evidence } = await calibrateCase({
      base: {
        ...files,
        'tests/add.test.sh':
          '. ./src/add.sh\nif [ "$(add 3 4)" = 7 ]; then\n  exit 0\nfi\necho wrong\nexit 1\n',
      },
      work: { 'src/add.sh': 'add() {\n  echo $(($1 + $2))\n}\n' },
      check: loop,
      isAlone: true,
    });
    expect(evidence.verdict).toBe('pass');
  });
});
