import { expect, test } from 'vitest';
import { isDefinition, lightDefinitions, listedCommands, staticClosure } from './commands.ts';
import { repositoryFiles } from './repository.ts';
import type { SourceFile } from './source-file.ts';

const definePath = 'src/surfaces/cli/commands/steer/pause.ts';
const definition = "export const definePause: DefineCommand = (program) => void program.command('pause');";
const table: SourceFile = {
  path: 'src/surfaces/cli/program.ts',
  text: "import { definePause } from '#surfaces/cli/commands/steer/pause.ts';",
};

test.each([
  "import { pauseCommand } from './pause-action.ts';",
  "import { assert } from '#base/assert.ts';",
  "import { print } from '#surfaces/cli/output.ts';",
  "import { join } from 'node:path';",
])('lightDefinitions rejects, in a definition: %s', (line) => {
  expect(lightDefinitions([{ path: definePath, text: `${line}\n${definition}` }])).toHaveLength(1);
});

test('lightDefinitions rejects a body that shared options load', () => {
  const text = "import { runCommand } from '#surfaces/cli/commands/start/run-action.ts';";
  expect(lightDefinitions([{ path: 'src/surfaces/cli/options/run-flags.ts', text }])).toHaveLength(1);
});

test.each([
  "import { Option } from 'commander';",
  "import type { PauseOptions } from './pause-action.ts';",
  "import { withRun } from '#surfaces/cli/options/run-option.ts';",
  "import { OperatorError } from '#base/operator-error.ts';",
  "const body = () => import('./pause-action.ts');",
])('lightDefinitions accepts, in a definition: %s', (line) => {
  expect(lightDefinitions([{ path: definePath, text: `${line}\n${definition}` }])).toEqual([]);
});

test('lightDefinitions allows the body of a command to import any module', () => {
  const text = "import { print } from '#surfaces/cli/output.ts';";
  expect(lightDefinitions([{ path: 'src/surfaces/cli/commands/steer/pause-action.ts', text }])).toEqual([]);
});

test.each([
  ['a definition that program.ts does not list', definePath, []],
  ['a definition under another name than its command', 'src/surfaces/cli/commands/steer/halt.ts', null],
  [
    'a definition that another file imports as well',
    definePath,
    [table, { path: 'src/surfaces/cli/x.ts', text: table.text }],
  ],
] as const)('listedCommands rejects %s', (_, path, others) => {
  const listed = { ...table, text: table.text.replace('/pause.ts', '/halt.ts') };
  expect(listedCommands([{ path, text: definition }, ...(others ?? [listed])])).toHaveLength(1);
});

test('listedCommands accepts a definition that only program.ts imports', () => {
  expect(listedCommands([{ path: definePath, text: definition }, table])).toEqual([]);
});

const files = repositoryFiles();

test('The command line loads its definitions at its start, and of everything else these files only', () => {
  const definitions = new Set(files.filter(isDefinition).map(({ path }) => path));
  const loaded = staticClosure(files, 'src/surfaces/cli/main.ts');
  expect(loaded.filter((path) => definitions.has(path))).toHaveLength(definitions.size);
  expect(loaded.filter((path) => !definitions.has(path))).toEqual([
    'src/agents/claude/facts.ts',
    'src/agents/clients.ts',
    'src/agents/codex/facts.ts',
    'src/agents/gemini/facts.ts',
    'src/agents/opencode/facts.ts',
    'src/agents/shared/client-facts.ts',
    'src/agents/shared/client-files.ts',
    'src/agents/shared/json.ts',
    'src/app/own-files.ts',
    'src/app/state-home.ts',
    'src/base/is-set.ts',
    'src/base/operator-error.ts',
    'src/base/parse-json.ts',
    'src/base/record.ts',
    'src/config/agents/clients.ts',
    'src/config/setting-table.ts',
    'src/kernel/model/outcome.ts',
    'src/surfaces/cli/main.ts',
    'src/surfaces/cli/options/define-command.ts',
    'src/surfaces/cli/options/run-flags.ts',
    'src/surfaces/cli/options/run-option.ts',
    'src/surfaces/cli/options/setup-flags.ts',
    'src/surfaces/cli/output.ts',
    'src/surfaces/cli/program.ts',
    'src/surfaces/cli/render/colour.ts',
    'src/surfaces/cli/render/width.ts',
    'src/surfaces/cli/render/words.ts',
    'src/surfaces/cli/render/wrap.ts',
    'src/surfaces/cli/report-error.ts',
    'src/surfaces/cli/report-usage.ts',
    'src/surfaces/cli/wake-on-start.ts',
  ]);
});

test('Each group of the help has the commands of one folder, and all of them', () => {
  const { text = '' } = files.find(({ path }) => path === table.path) ?? {};
  const folderOf = new Map(
    [...text.matchAll(/import \{ (define\w+) \} from '#surfaces\/cli\/commands\/(\w+)\//g)].map(
      ([, name = '', folder = '']) => [name, folder],
    ),
  );
  const groups = [...text.matchAll(/commands: \[(.*?)\]/gs)].map(([, names = '']) =>
    [...names.matchAll(/define\w+/g)].map(([name]) => folderOf.get(name)),
  );
  const folders = groups.map((group) => [...new Set(group)]);
  expect(folders.flat()).toHaveLength(groups.length);
  expect(new Set(folders.flat())).toEqual(new Set(folderOf.values()));
  expect(groups.flat()).toHaveLength(files.filter(isDefinition).length);
});
