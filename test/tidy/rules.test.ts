import { expect, test } from 'vitest';
import { noBarrels } from './barrels.ts';
import { oneCompositionRoot } from './composition.ts';
import { arguedDependencies } from './dependencies.ts';
import { folderSizeExcept } from './folders.ts';
import { glossaryWords, neededExceptions } from './glossary.ts';
import { noSwitchedOffTests, noUnfinished } from './leftovers.ts';
import { emptyNames, kebabCase, plainNames, sharedNames } from './names.ts';
import { noPlaces } from './places.ts';
import { plainSentences, plainTitles, shortHelp } from './plain-words.ts';
import { countedProperties } from './properties.ts';
import { purity } from './purity.ts';
import { reachedSources } from './reached.ts';
import { shortSentences } from './short-sentences.ts';
import { documentLength, fileLength, functionLength, functionLengthExcept, namedLimits } from './sizes.ts';
import type { Rule } from './source-file.ts';
import { noTraps } from './traps.ts';

// Samples of what is forbidden are put together here, so that this file itself is tidy.
const lines = (count: number): string => 'const x = 1;\n'.repeat(count);
const aFunction = (count: number): string => `function long() {\n${lines(count - 2)}}\n`;
const manyWords = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');
const adr = {
  path: 'docs/adr/0005-dependencies.md',
  text: '- **zod** beats writing it by hand; left-pad and **right-pad** do not.',
};

interface Sample {
  readonly rule: Rule;
  readonly path: string;
  readonly rejects: readonly string[];
  readonly accepts: readonly string[];
}

const samples: Readonly<Record<string, Sample>> = {
  purity: {
    rule: purity,
    path: 'src/kernel/x.ts',
    rejects: [
      'Date.now();',
      'new Date();',
      'Date();',
      'Math.random();',
      'process.exit(1);',
      'setTimeout(f, 1);',
      "fetch('x');",
      'performance.now();',
      'crypto.randomUUID();',
      'console.log(1);',
      'const { env } = process;',
      'const later = setTimeout;',
    ],
    accepts: [
      'new Date(run.at);',
      'Math.max(1, 2);',
      'run.process;',
      '({ process: 1 });',
      'interface X { process: string; fetch(): void }',
      "const a = 'Date.now()';",
    ],
  },
  plainSentences: {
    rule: plainSentences,
    path: 'src/views/x.ts',
    rejects: [
      "const note = 'The run goes on by itself.';",
      'const note = `Nobody drives the run ${id} now.`;',
      "throw new OperatorError('x', 'The task was taken up again.', 'Wait.');",
      "throw new OperatorError('x', 'The run reached a dead end.', 'Wait.');",
      "program.option('--x', 'take the next rung of the ladder');",
      "program.command('x').description('show the deeds of a run');",
    ],
    accepts: [
      "const kind = 'nobody';",
      "const note = 'The run continues by itself.';",
      '// A comment is for contributors: nobody reads it in a terminal.',
    ],
  },
  plainTitles: {
    rule: plainTitles,
    path: 'src/views/x.test.ts',
    rejects: [
      "test('A run that nobody drives is shown', f);",
      "it('prints as the seed shows it [K12]', f);",
      "test('The menu is drawn anew', f);",
      "test('A setback starts the next rung', f);",
    ],
    accepts: ["test('A run without a driver is shown', f);", "const nobody = 'a value';"],
  },
  shortHelp: {
    rule: shortHelp,
    path: 'src/surfaces/cli/commands/start/x.ts',
    rejects: [
      "program.command('x').description('one two three four five six seven eight nine ten eleven');",
      "program.option('--x', 'one two three four five six seven eight nine ten eleven');",
      "const row = { flag: '--x', help: 'one two three four five six seven eight nine ten eleven' };",
    ],
    accepts: [
      "program.option('--x', 'one two three four five six seven eight nine ten');",
      "program.addHelpText('after', 'one two three four five six seven eight nine ten eleven');",
    ],
  },
  shortSentences: {
    rule: shortSentences,
    path: 'src/app/run/x.ts',
    rejects: [
      `throw new OperatorError('x', 'The run ${manyWords(24)}.', 'Wait.');`,
      `throw new OperatorError('x', 'The run ended.', 'Run it, ${manyWords(24)}.');`,
      `program.command('x').description('show a run, ${manyWords(23)}');`,
      `program.addHelpText('after', 'The run,\\nand ${manyWords(23)}.');`,
      `const key = z.string().describe('The text of a run, ${manyWords(21)}');`,
      `const note = \`The run \${id}, ${manyWords(23)}\`;`,
      `const note = 'The run of a task, ' + '${manyWords(21)}.';`,
      `const note = isLong ? 'The run, ${manyWords(24)}.' : 'The run ended.';`,
      `const note = \`The run of \${isLong ? 'a task, ${manyWords(22)}' : ''}.\`;`,
    ],
    accepts: [
      `throw new OperatorError('x', 'The run is, ${manyWords(22)}.', 'Wait.');`,
      `const note = 'The run ended, ${manyWords(20)}. The task ended, ${manyWords(20)}.';`,
      `const help = 'The run ended, and now:\\n\\n  untildone run ${manyWords(20)}';`,
      `const note = 'The run can be resumed, with \`untildone ${manyWords(30)}\`.';`,
      `const words = 'alias ${manyWords(40)}';`,
    ],
  },
  oneCompositionRoot: {
    rule: oneCompositionRoot,
    path: 'src/app/run/x.ts',
    rejects: [
      'await driveOpened(opened, world, policy, options);',
      "const { createHostSessions: make } = await import('#adapters/sessions/host-process.ts');",
      'export const host = (order) => hostSession(order, {});',
    ],
    accepts: [
      "import { driveRun } from '#app/world.ts';",
      'export function createPlanner() {}',
      "const text = 'createChecker';",
    ],
  },
  fileLength: {
    rule: fileLength,
    path: 'src/kernel/x.ts',
    rejects: [lines(301)],
    accepts: [lines(300)],
  },
  functionLength: {
    rule: functionLength,
    path: 'src/kernel/x.ts',
    rejects: [aFunction(61), `const f = () => {\n${lines(70)}};`],
    accepts: [aFunction(60)],
  },
  documentLength: {
    rule: documentLength,
    path: 'README.md',
    rejects: [lines(81)],
    accepts: [lines(80)],
  },
  namedLimits: {
    rule: namedLimits,
    path: 'AGENTS.md',
    rejects: [
      'Files up to 300 lines, functions up to 80.',
      'Files up to 200 lines, functions up to 60.',
      'Files up to 300 lines, functions up to 60. Test files up to 500 lines.',
      'Files up to 300 lines.',
      'Short files.',
    ],
    accepts: ['Files up to 300 lines, functions up to 60.'],
  },
  emptyNames: {
    rule: emptyNames,
    path: 'src/kernel/x.ts',
    rejects: [
      `class Run${'Man'}ager {}`,
      `const git${'Hel'}per = 1;`,
      `function string${'Ut'}ils() {}`,
      `interface Agent${'Ser'}vice {}`,
      `type ${'Ut'}il = 1;`,
    ],
    accepts: ['const utility = 1;', 'function run() {}'],
  },
  noBarrels: {
    rule: noBarrels,
    path: 'src/kernel/x.ts',
    rejects: ["export { a } from './a.ts';", "export * from './a.ts';\nexport const b = 1;"],
    accepts: ["import { a } from './a.ts';\nexport const b = a;", 'export const a = 1;'],
  },
  noUnfinished: {
    rule: noUnfinished,
    path: 'docs/guide/x.md',
    rejects: [`${'TO'}DO: write this`, `// ${'FIX'}ME`, `${'XX'}X`],
    accepts: ['What is left to do: nothing.'],
  },
  noSwitchedOffTests: {
    rule: noSwitchedOffTests,
    path: 'src/kernel/x.test.ts',
    rejects: [
      "test.skip('x', f);",
      "it.only('x', f);",
      "describe.skip('x', f);",
      "test.todo('x');",
      "test.fails('x', f);",
    ],
    accepts: ["test.skipIf(isWindows)('x', f);", "test('x', f);", 'run.skip();'],
  },
  countedProperties: {
    rule: countedProperties,
    path: 'src/kernel/x.test.ts',
    rejects: ['fc.assert(fc.property(a, f));', 'await fc.assert(fc.asyncProperty(a, f));', 'fc.check(p);'],
    accepts: ['assertProperty(fc.property(a, f), { reaches: [one] });', 'assert(x);'],
  },
  noPlaces: {
    rule: noPlaces,
    path: 'docs/guide/x.md',
    rejects: [
      `https://registry.npm${'js'}.org/x`,
      `http://deb.${'deb'}ian.org`,
      `cd /wo${'rk'}/main`,
      `HOME=/ro${'ot'}/x`,
      `'/Us${'ers'}/me'`,
    ],
    accepts: [`src/wo${'rk'}/x`, `./ro${'ot'}/x`, 'git@example.com'],
  },
  noTraps: {
    rule: noTraps,
    path: 'src/adapters/processes/x.ts',
    rejects: [
      'const e = code ?? 0;',
      'const e = ended.status || 0;',
      'f(child.exitCode ?? 0);',
      'if (!child.killed) f();',
    ],
    accepts: ['const e = code ?? 1;', 'const n = count ?? 0;', 'if (session.killed) f();'],
  },
  arguedDependencies: {
    rule: (files) => arguedDependencies([...files, adr]),
    path: 'package.json',
    rejects: [
      '{"dependencies":{"left-pad":"1.0.0"}}',
      '{"dependencies":{"right-pad":"1.0.0"}}',
      '{"peerDependencies":{"left-pad":"1.0.0"}}',
    ],
    accepts: ['{"dependencies":{"zod":"1.0.0"},"devDependencies":{"left-pad":"1.0.0"}}', '{}'],
  },
};

const cases = Object.entries(samples).flatMap(([name, { rule, path, rejects, accepts }]) => [
  ...rejects.map((text) => ({ name, verdict: 'rejects', count: 1, rule, file: { path, text } })),
  ...accepts.map((text) => ({ name, verdict: 'accepts', count: 0, rule, file: { path, text } })),
]);

test.each(cases)('The rule $name $verdict: $file.text', ({ rule, file, count }) => {
  expect(rule([file])).toHaveLength(count);
});

test.each(['src/kernel/runState.ts', 'src/Kernel/run.ts', 'src/kernel/run_state.ts'])(
  'The rule kebabCase rejects: %s',
  (path) => {
    expect(kebabCase([{ path, text: '' }])).toHaveLength(1);
  },
);

test.each(['src/kernel/run-state.ts', 'src/kernel/run.property.test.ts', 'vitest.config.ts'])(
  'The rule kebabCase accepts: %s',
  (path) => {
    expect(kebabCase([{ path, text: '' }])).toEqual([]);
  },
);

test.each([`src/kernel/run-${'hel'}per.ts`, `src/${'ut'}ils/x.ts`])(
  'The rule emptyNames rejects the file: %s',
  (path) => {
    expect(emptyNames([{ path, text: '' }])).toHaveLength(1);
  },
);

test('The rule noBarrels allows the public lists to re-export, by name', () => {
  const path = 'src/index.ts';
  expect(noBarrels([{ path, text: "export { a } from '#kernel/a.ts';" }])).toEqual([]);
  expect(noBarrels([{ path, text: "export * from '#kernel/a.ts';" }])).toHaveLength(1);
});

test('A folder with more than 20 sources is rejected, and so is a needless exception', () => {
  const filesIn = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ path: `${folder}/x${index}.ts`, text: '' }));
  const rule = folderSizeExcept({ 'src/views': 'a reason' });
  expect(rule([...filesIn('src/app', 20), ...filesIn('src/views', 21)])).toEqual([]);
  expect(rule([...filesIn('src/app', 21), ...filesIn('src/views', 21)])).toEqual([
    'src/app has 21 source files, at most 20',
  ]);
  expect(rule(filesIn('src/views', 20))).toHaveLength(1);
});

test('A source that only tests import is rejected, also if another such source imports it', () => {
  const program = { path: 'src/surfaces/cli/main.ts', text: "const late = () => import('#app/run.ts');" };
  const used = { path: 'src/app/run.ts', text: "import type { A } from './shape.ts';" };
  const shape = { path: 'src/app/shape.ts', text: 'export type A = 1;' };
  const testOfFake = { path: 'src/app/run.test.ts', text: "import { fake } from './fake.ts';" };
  const fake = { path: 'src/app/fake.ts', text: "import { bed } from '#views/bed.ts';" };
  const bed = { path: 'src/views/bed.ts', text: 'export const bed = 1;' };
  expect(reachedSources([program, used, shape])).toEqual([]);
  expect(reachedSources([program, used, shape, testOfFake, fake, bed])).toEqual([
    expect.stringMatching(/^src\/app\/fake\.ts is in no program/),
    expect.stringMatching(/^src\/views\/bed\.ts is in no program/),
  ]);
});

test('The test kit of the package may use its contract suites', () => {
  const kit = { path: 'src/testing/index.ts', text: "export { a } from '#testing/contracts/a.ts';" };
  const suite = { path: 'src/testing/contracts/a.ts', text: "import { b } from '#testing/b.ts';" };
  expect(reachedSources([kit, suite, { path: 'src/testing/b.ts', text: '' }])).toEqual([]);
});

test('A file with its own limit must keep it, and is rejected once its functions are short', () => {
  const rule = functionLengthExcept({ 'src/kernel/x.ts': 70 });
  const file = (count: number) => ({ path: 'src/kernel/x.ts', text: aFunction(count) });
  expect(rule([file(70)])).toEqual([]);
  expect(rule([file(71)])).toHaveLength(1);
  expect(rule([file(60)])).toHaveLength(1);
  expect(rule([{ ...file(61), path: 'src/kernel/y.ts' }])).toHaveLength(1);
});

test('A name or a file with a word that the glossary avoids is rejected', () => {
  const file = (text: string, path = 'src/a.ts') => [{ path, text }];
  for (const name of ['deedOf', 'Setback', 'pickMatter', 'openDoor', 'isLookedAt'])
    expect(plainNames(file(`export function ${name}() {}`))).toHaveLength(1);
  expect(plainNames(file('export const told = 1;'))).toHaveLength(1);
  expect(plainNames(file('export type Heard = { a: 1 };'))).toHaveLength(1);
  expect(plainNames(file('', 'src/kernel/dead-door.ts'))).toEqual([
    'src/kernel/dead-door.ts is named "door"; GLOSSARY.md has the word to use',
  ]);
  for (const text of [
    'function deedOf() {}',
    'const lookAgain = () => 1;',
    'interface Matter { a: 1 }',
    'type Seen = 1;',
    'class Setback {}',
    'export interface A { lastLook(): void }',
  ])
    expect(plainNames(file(text))).toHaveLength(1);
  expect(plainNames(file('function lookAgain() {}', 'src/a.test.ts'))).toEqual([]);
  // Stored fields, words that only contain another, and what a test calls its own.
  expect(plainNames(file('export interface Step { deed: 1 }'))).toEqual([]);
  expect(plainNames(file('export function createLookout() {} export const lookup = 1;'))).toEqual([]);
  expect(plainNames(file('export const told = 1;', 'test/a.ts'))).toEqual([]);
});

test('A word that the glossary avoids is rejected in sentences, titles and names, unless it is right elsewhere', () => {
  const row = '| agent | the program that does the work | worker, bots |';
  const glossary = { path: 'GLOSSARY.md', text: `| word | meaning | avoid |\n|---|---|---|\n${row}\n` };
  const inView = (text: string) => [glossary, { path: 'src/views/x.ts', text }];
  const inTest = (text: string) => [glossary, { path: 'src/x.test.ts', text }];
  expect(glossaryWords(inView("const note = 'The Worker ended by itself.';"))).toEqual([
    'src/views/x.ts:1 says "Worker"; GLOSSARY.md has the word to use',
  ]);
  expect(glossaryWords(inTest("test('A bot is started', f);"))).toHaveLength(1);
  expect(plainNames(inView('export const startWorker = 1;'))).toHaveLength(1);
  expect(glossaryWords(inView("const kind = 'worker';"))).toEqual([]);
  expect(glossaryWords(inView("const note = 'The agent ended by itself.';"))).toEqual([]);
  const log = { ...glossary, text: row.replace('worker, bots', 'log') };
  expect(glossaryWords([log, { path: 'src/views/x.ts', text: "const note = 'The log is full.';" }])).toEqual(
    [],
  );
  expect(neededExceptions([log])).not.toContainEqual(expect.stringContaining('"log"'));
  expect(neededExceptions([log])).toContainEqual(expect.stringContaining('"snapshot"'));
});

test('A vague name that two files export is rejected in both of them', () => {
  const exporting = (path: string, name: string) => ({ path, text: `export interface ${name} { a: 1 }` });
  expect(sharedNames([exporting('src/a.ts', 'Seen'), exporting('src/b.ts', 'Seen')])).toEqual([
    "src/a.ts:1 'Seen' is exported by several files",
    "src/b.ts:1 'Seen' is exported by several files",
  ]);
  expect(sharedNames([exporting('src/a.ts', 'Seen'), exporting('src/b.ts', 'Run')])).toEqual([]);
  expect(sharedNames([exporting('src/a.ts', 'Seen'), exporting('test/b.ts', 'Seen')])).toEqual([]);
});

test('A name that two files of src/base export is rejected in both of them', () => {
  const exporting = (path: string) => ({ path, text: 'export function parse() {}' });
  expect(sharedNames([exporting('src/base/a.ts'), exporting('src/base/b.ts')])).toHaveLength(2);
  expect(sharedNames([exporting('src/base/a.ts'), exporting('src/views/b.ts')])).toEqual([]);
});
