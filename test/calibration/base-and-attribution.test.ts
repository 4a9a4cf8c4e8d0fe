import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calibrateCase, type Files } from '#test/calibration-bed.ts';
import type { MachineCheck } from '#kernel/model/check.ts';
import type { Calibration } from '#kernel/model/calibration.ts';

const sumTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../src/sum.mjs';
test('sum', () => {
  assert.equal(sum(1, 2), 3);
});
`;
const base: Files = {
  'src/sum.mjs': 'export const sum = () => 0;\n',
  'test/sum.test.mjs': sumTest,
};
const right: Files = { 'src/sum.mjs': 'export const sum = (a, b) => a + b;\n' };
const check = 'node --test';

/** The sum of each case stands in a folder that no text names in one piece. */
const byCases: Files = {
  'src/sum.mjs': 'export const sum = () => 0;\n',
  'check.mjs': `import { readdirSync, readFileSync } from 'node:fs';
import { sum } from './src/sum.mjs';
const folder = ['fix', 'tures'].join('');
for (const name of readdirSync(folder)) {
  const { args, result } = JSON.parse(readFileSync(folder + '/' + name, 'utf8'));
  if (sum(...args) !== result) throw new Error(name);
}
`,
  'fixtures/one.json': '{"args":[1,2],"result":3}\n',
};

function of(kind: Calibration['kind'], calibration: readonly Calibration[]): Calibration | undefined {
  return calibration.find((one) => one.kind === kind);
}

const movesAccessTimes = probeAccessTimes();

function probeAccessTimes(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'untildone-probe-'));
  const file = join(folder, 'probe');
  writeFileSync(file, 'x');
  utimesSync(file, 1, 1);
  readFileSync(file);
  const isMoved = statSync(file).atimeMs > 1000;
  rmSync(folder, { recursive: true });
  return isMoved;
}

describe('The base recheck', () => {
  it('The base recheck finds a check that was red on the base by chance and asks a person [X7]', async () => {
    const lucky = 'if test -f "$HOME/ran"; then exit 0; else touch "$HOME/ran"; exit 1; fi';
    const { evidence, calibration } = await calibrateCase({
      base,
      work: { 'src/other.mjs': '// x\n' },
      check: lucky,
    });
    expect(evidence).toMatchObject({
      verdict: 'unknown',
      reason: `\`${lucky}\` passes on the unchanged base now: it was red by chance.`,
      flaky: { passed: 1, failed: 1, isAccepted: false },
    });
    expect(calibration.map(({ kind }) => kind)).toEqual(['base-recheck']);
  });

  it('The base recheck passes a check that is red on the base each time [X7]', async () => {
    const { evidence, calibration } = await calibrateCase({ base, work: right, check });
    expect(evidence.verdict).toBe('pass');
    expect(of('base-recheck', calibration)).toMatchObject({ verdict: 'passed', runs: 1 });
  });
});

describe('The attribution of a green check', () => {
  it('Attribution finds a fixture that turned the check green, with or without other changed code [X8]', async () => {
    const edited = { 'fixtures/one.json': '{"args":[1,2],"result":0}\n' };
    const { evidence, calibration } = await calibrateCase({
      base: byCases,
      work: { ...edited, 'src/other.mjs': 'export const other = 1;\n' },
      check: 'node check.mjs',
      isAlone: true,
    });
    expect(evidence).toMatchObject({
      verdict: 'unknown',
      reason:
        "The base passes with the work's fixtures/one.json alone: the test material changed, not the work.",
    });
    expect(of('attribution', calibration)).toMatchObject({
      verdict: 'refused',
      runs: 1,
      files: ['fixtures/one.json'],
    });
  });

  it('Attribution asks a person about a check that turned green without product changes, and runs nothing [X8]', async () => {
    const work = { 'fixtures/one.json': '{"args":[1,2],"result":0}\n' };
    const { calibration } = await calibrateCase({
      base: byCases,
      work,
      check: 'node check.mjs',
      isAlone: true,
    });
    expect(of('attribution', calibration)).toMatchObject({ verdict: 'refused', asks: 'person', runs: 0 });
  });

  it('Attribution asks a person about a file that loads a test library and may be product code, without refusing the work [X8]', async () => {
    const judge =
      "import { it } from 'node:test';\nexport const judge = (got) => { if (got !== 3) throw it; };\n";
    const files = {
      'src/judge.mjs': judge,
      'check.mjs':
        "import { judge } from './src/judge.mjs';\nimport { sum } from './src/sum.mjs';\njudge(sum(1, 2));\n",
      'src/sum.mjs': 'export const sum = () => 0;\n',
    };
    const emptied = { 'src/judge.mjs': judge.replace('got !== 3', 'false') };
    for (const work of [emptied, { ...emptied, 'src/sum.mjs': 'export const sum = () => 1;\n' }]) {
      const given = { base: files, work, check: 'node check.mjs', isAlone: true };
      const { evidence, calibration } = await calibrateCase(given);
      expect(evidence.reason).toMatch(
        /alone\. src\/judge\.mjs loads a test library: only a person can tell whether it is product code or test material\.$/,
      );
      expect(of('attribution', calibration)).toMatchObject({ verdict: 'refused', asks: 'person' });
    }
  });

  describe.skipIf(!movesAccessTimes)(
    'Data that the check read on the base; skipped where the file system keeps no access times',
    () => {
      const byTable: Files = {
        'src/sum.mjs': byCases['src/sum.mjs'] ?? '',
        'check.mjs': (byCases['check.mjs'] ?? '').replace(
          "['fix', 'tures'].join('')",
          "['ta', 'bles'].join('')",
        ),
        'tables/one.json': '{"args":[1,2],"result":3}\n',
      };
      const edited = { 'tables/one.json': '{"args":[1,2],"result":0}\n' };
      const alone = { base: byTable, check: 'node check.mjs', isAlone: true };

      it('Attribution asks a person at once if data turned the check green beside other code [X8]', async () => {
        const work = { ...edited, 'src/sum.mjs': 'export const sum = () => 0; // Better.\n' };
        const { evidence, calibration } = await calibrateCase({ ...alone, work });
        expect(evidence.verdict).toBe('unknown');
        expect(of('attribution', calibration)).toMatchObject({
          verdict: 'refused',
          asks: 'person',
          reason:
            "The base passes with the work's tables/one.json alone: the test material changed, not the work.",
        });
      });

      it('Attribution passes data that changed together with the code if the data alone leaves the check red [X8]', async () => {
        const work = { 'tables/one.json': '{"args":[2,2],"result":4}\n', ...right };
        const { evidence, calibration } = await calibrateCase({ ...alone, work });
        expect(evidence.verdict).toBe('pass');
        expect(of('attribution', calibration)).toMatchObject({ verdict: 'passed', runs: 1 });
      });

      it('Attribution treats data as work if the goal names it and a person allowed its change [X8]', async () => {
        for (const config of [{ goal: 'Set the result in tables/one.json.' }, { mayChange: ['tables/**'] }]) {
          const { evidence, calibration } = await calibrateCase({ ...alone, work: edited, config });
          expect(evidence.verdict).toBe('pass');
          expect(of('attribution', calibration)).toBeUndefined();
        }
      });
    },
  );

  it('Attribution finds a file or folder that makes a make target up to date [X8]', async () => {
    for (const added of ['check', 'check/.keep']) {
      const { evidence } = await calibrateCase({
        base: { Makefile: 'check:\n\t@exit 1\n', 'src/sum.mjs': '' },
        work: { [added]: '', 'src/sum.mjs': '// Better.\n' },
        check: 'make check',
        isAlone: true,
      });
      expect(evidence.reason).toBe(
        `The base passes with the work's ${added} alone: the test material changed, not the work.`,
      );
    }
  });

  it('Attribution treats the working folder of make as work, not as a target [X8]', async () => {
    const { evidence } = await calibrateCase({
      base: { 'src/Makefile': 'check:\n\t@grep -q right sum.mjs\n', 'src/sum.mjs': '' },
      work: { 'src/sum.mjs': '// right\n' },
      check: 'make -C src check',
    });
    expect(evidence.verdict).toBe('pass');
  });

  it('Attribution treats a fixture as work if a person allowed its change [X8]', async () => {
    const work = { 'fixtures/one.json': '{"args":[1,2],"result":0}\n' };
    const config = { mayChange: ['fixtures/**'] };
    const { evidence, calibration } = await calibrateCase({
      base: byCases,
      work,
      check: 'node check.mjs',
      config,
    });
    expect(evidence.verdict).toBe('pass');
    expect(of('attribution', calibration)).toBeUndefined();
  });

  it('Attribution passes work that brings its own tests, with two more runs of the check [X7]', async () => {
    const more = sumTest.replace("'sum'", "'sum of others'").replace('sum(1, 2), 3', 'sum(2, 2), 4');
    const work = { ...right, 'test/more.test.mjs': more };
    const { evidence, calibration } = await calibrateCase({ base, work, check });
    expect(evidence.verdict).toBe('pass');
    const attribution = of('attribution', calibration);
    expect(attribution).toMatchObject({ verdict: 'passed', runs: 2, files: ['test/more.test.mjs'] });
    expect(attribution?.restsOnAddedFiles).toBeUndefined();
  });

  it('Attribution reports that a green check rests on added tests if the base had none [X7]', async () => {
    const bare = { 'src/sum.mjs': 'export const sum = () => 0;\n' };
    const work = { ...right, 'test/sum.test.mjs': sumTest };
    const { evidence, calibration } = await calibrateCase({ base: bare, work, check });
    expect(evidence.verdict).toBe('pass');
    expect(of('attribution', calibration)).toMatchObject({ verdict: 'passed', restsOnAddedFiles: true });
  });

  describe('A check whose recipe came with the work', () => {
    const manifest = (scripts: object | null): string =>
      `${JSON.stringify({ type: 'module', ...(scripts === null ? {} : { scripts }) })}\n`;
    const wrong = { 'src/sum.mjs': 'export const sum = () => 0;\n' };
    const judges: [string, Files, Files, string][] = [
      [
        'a script and the judge that it starts',
        { ...wrong, 'package.json': manifest(null) },
        { 'package.json': manifest({ test: 'node src/ok.js' }), 'src/ok.js': "console.log('ok');\n" },
        'npm test',
      ],
      [
        'a script of another name with an empty judge',
        { ...wrong, 'package.json': manifest({ test: 'node --test' }) },
        {
          'package.json': manifest({ test: 'node --test', lint: 'node tools/lint.js' }),
          'tools/lint.js': '',
        },
        'npm run lint',
      ],
      [
        'the same where npm prints nothing',
        { ...wrong, 'package.json': manifest({ test: 'node --test' }) },
        {
          'package.json': manifest({ test: 'node --test', lint: 'node tools/lint.js' }),
          'tools/lint.js': '',
        },
        'npm run -s lint',
      ],
      [
        'a script in the place of one that only says that there is none',
        { ...wrong, 'package.json': manifest({ test: 'echo "Error: no test specified" && exit 1' }) },
        { 'package.json': manifest({ test: 'node src/ok.js' }), 'src/ok.js': "console.log('ok');\n" },
        'npm test --silent',
      ],
      [
        'a target of make',
        { ...wrong, Makefile: 'build:\n\ttrue\n' },
        {
          Makefile: 'build:\n\ttrue\n\ntest:\n\tnode src/ok.js\n',
          'src/ok.js': "console.log('ok');\n",
        },
        'make test',
      ],
    ];
    it.each(judges)(
      'A check that turned green through %s is no proof [X8]',
      async (_, from, work, command) => {
        const seen = await calibrateCase({ base: from, work, check: command, isAlone: true });
        expect(of('attribution', seen.calibration)).toMatchObject({
          verdict: 'passed',
          restsOnAddedFiles: true,
        });
        expect(of('added-tests', seen.calibration)).toMatchObject({ verdict: 'none' });
      },
    );

    it('Added tests count if a recipe that came with the work runs them [X7]', async () => {
      const seen = await calibrateCase({
        base: { ...wrong, 'package.json': manifest(null) },
        work: {
          ...right,
          'package.json': manifest({ test: 'node --test' }),
          'test/sum.test.mjs': sumTest,
        },
        check: 'npm test',
        isAlone: true,
      });
      expect(of('added-tests', seen.calibration)).toMatchObject({ verdict: 'passed' });
    });

    it('A check that turned green counts if it does not need the changed recipe [X7]', async () => {
      const seen = await calibrateCase({
        base: { ...base, 'package.json': manifest({ test: 'node --test' }) },
        work: { ...right, 'package.json': manifest({ test: 'node --test', start: 'node src/sum.mjs' }) },
        check: 'npm test',
        isAlone: true,
      });
      expect(of('attribution', seen.calibration)?.restsOnAddedFiles).toBeUndefined();
      expect(of('attribution', seen.calibration)).toMatchObject({ verdict: 'passed' });
    });
  });

  it('Attribution names no file of a held-out check [X8]', async () => {
    const command: MachineCheck = { kind: 'command', run: 'node check.mjs', cwd: '', timeoutMs: 60_000 };
    const { evidence, calibration } = await calibrateCase({
      base: byCases,
      work: { 'fixtures/one.json': '{"args":[1,2],"result":0}\n', 'src/other.mjs': '// x\n' },
      check: { kind: 'held-out', hash: 'h' },
      isAlone: true,
      through: (checker) => ({
        check: (request) =>
          checker.check({ ...request, criterion: { ...request.criterion, check: command } }),
      }),
    });
    expect(evidence.verdict).toBe('unknown');
    expect(JSON.stringify(calibration)).not.toContain('one.json');
    expect(JSON.stringify(calibration)).not.toContain('check.mjs');
  });
});

describe('The bytes of pinned files', () => {
  it('If git attributes changed, the bytes of pinned files are compared, so that no filter can change a script [X8]', async () => {
    const script = '#!/bin/sh\nset -e\nfor word in 1 2; do\nnode src/sum.mjs $word\ndone\n';
    const { evidence } = await calibrateCase({
      base: { 'check.sh': script, 'src/sum.mjs': 'process.exit(1);\n' },
      work: { '.gitattributes': '*.sh text eol=crlf\n', 'src/sum.mjs': '// x\n' },
      check: 'tr -d "\\r" < check.sh | sh',
      isAlone: true,
    });
    expect(evidence).toMatchObject({
      verdict: 'unknown',
      calibration: [{ kind: 'bytes', verdict: 'refused' }],
    });
    expect(evidence.reason).toContain('check.sh');
  });
});

describe('Checks without calibration', () => {
  it('A check is not calibrated if calibration is off, nor in runs from before calibration existed [X7]', async () => {
    for (const config of [{ calibration: 'off' } as const, { calibration: undefined }]) {
      const { runs, calibration } = await calibrateCase({
        base,
        work: right,
        check,
        config: config as object,
      });
      expect(calibration).toEqual([]);
      expect(runs).toBe(1);
    }
  });
});
