// The recipes of CONTRIBUTING.md. The first change of each is made in a scratch copy of the sources; the compiler then names
// the files that have to follow, and the recipe must name each of them.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../tidy/repository.ts';

interface Change {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

interface Recipe {
  readonly recipe: string;
  readonly name: string;
  readonly change: Change;
  readonly follows: readonly string[];
}

/** The smallest addition; the compiler must find at least `follows`. */
const recipes: readonly Recipe[] = [
  {
    recipe: 'an event',
    name: 'an event of the run',
    change: {
      file: 'src/kernel/events/events.ts',
      find: "  | { readonly type: 'driver-left'",
      replace:
        "  | { readonly type: 'sample-seen'; readonly text: string }\n  | { readonly type: 'driver-left'",
    },
    follows: ['src/kernel/events/event-schema.ts', 'src/kernel/fold/apply.ts', 'src/views/lines/show.ts'],
  },
  {
    recipe: 'an event',
    name: 'an event of one task',
    change: {
      file: 'src/kernel/events/events.ts',
      find: "  | { readonly type: 'task-proven'",
      replace:
        "  | { readonly type: 'sample-seen'; readonly taskId: string }\n  | { readonly type: 'task-proven'",
    },
    follows: [
      'src/kernel/events/event-schema.ts',
      'src/kernel/fold/apply-to-task.ts',
      'src/views/lines/show.ts',
    ],
  },
  {
    recipe: 'a control',
    name: 'a control',
    change: {
      file: 'src/kernel/events/control.ts',
      find: "  | { readonly kind: 'tell';",
      replace: "  | { readonly kind: 'sample'; readonly text: string }\n  | { readonly kind: 'tell';",
    },
    follows: [
      'src/kernel/decide/decide-controls.ts',
      'src/kernel/events/control-schema.ts',
      'src/kernel/events/control.ts',
    ],
  },
  {
    recipe: 'a kind of check',
    name: 'a kind of check',
    change: {
      file: 'src/kernel/model/check.ts',
      find: '  | HeldOutCheck;',
      replace: "  | HeldOutCheck\n  | { readonly kind: 'sample'; readonly text: string };",
    },
    follows: [
      'src/adapters/checkers/create-checker.ts',
      'src/kernel/model/check-shape.ts',
      'src/views/plan/check-table.ts',
    ],
  },
  {
    recipe: 'a store',
    name: 'a method of a store',
    change: {
      file: 'src/ports/store.ts',
      find: 'export interface Store {',
      replace: 'export interface Store {\n  sample(): void;',
    },
    follows: ['src/adapters/store/store.ts'],
  },
  {
    recipe: 'a store',
    name: 'a method of an inbox',
    change: {
      file: 'src/ports/inbox.ts',
      find: 'export interface Inbox {',
      replace: 'export interface Inbox {\n  sample(): void;',
    },
    follows: ['src/adapters/store/inbox/inbox.ts'],
  },
];

const sampleCommand = {
  'commands/follow/sample.ts': `import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
export const defineSample: DefineCommand = (program, act) => {
  program.command('sample').description('print a sample')
    .action(act(async () => (await import('./sample-action.ts')).sampleCommand));
};`,
  'commands/follow/sample-action.ts': `import { print } from '#surfaces/cli/output.ts';
export async function sampleCommand(): Promise<number> {
  print('A sample.');
  return 0;
}`,
};

function withSample(program: string): string {
  const line = "import { defineSample } from '#surfaces/cli/commands/follow/sample.ts';\n";
  return program
    .replace(/import \{ Command.*\} from 'commander';\n/, (found) => found + line)
    .replace(/heading: 'Follow:',\s*commands: \[/, (found) => `${found}defineSample, `);
}

/** A kind of check, as its recipe adds it: what is put where in each file that the recipe names. */
const sampleCheck: readonly Change[] = [
  {
    file: 'src/kernel/model/check.ts',
    find: '  | HeldOutCheck;',
    replace: "  | HeldOutCheck\n  | { readonly kind: 'sample'; readonly text: string };",
  },
  {
    file: 'src/kernel/model/check.ts',
    find: "    case 'hook':\n      return 'the",
    replace: "    case 'sample':\n      return `sample ${check.text}`;\n    case 'hook':\n      return 'the",
  },
  {
    file: 'src/kernel/model/check-shape.ts',
    find: '  human: {',
    replace: "  sample: { text: 'string' },\n  human: {",
  },
  {
    file: 'src/adapters/checkers/create-checker.ts',
    find: "    case 'hook':",
    replace: "    case 'sample':\n      return findingOf('fail', `no ${check.text} yet`);\n    case 'hook':",
  },
  {
    file: 'src/tasks/criteria/check-schema.ts',
    find: '  symbol: text.optional()',
    replace: '  sample: text.optional(),\n  symbol: text.optional()',
  },
  { file: 'src/tasks/criteria/check-table.ts', find: '  symbol: [', replace: '  sample: [],\n  symbol: [' },
  {
    file: 'src/tasks/criteria/checks.ts',
    find: "    case 'symbol':",
    replace:
      "    case 'sample':\n      return { kind: 'sample', text: table.sample ?? '' };\n    case 'symbol':",
  },
  {
    file: 'src/views/plan/check-table.ts',
    find: "    case 'human':",
    replace: "    case 'sample':\n      return { sample: check.text };\n    case 'human':",
  },
];

/** An agent with a driver of its own: a file that says when to finish, and no model. */
const sampleAgent = {
  'driver.ts': `import { type DriverFacts, fewAbilities } from '#agents/shared/driver-facts.ts';
export const sample: DriverFacts = {
  create: async () => (await import('./sample-agent.ts')).createSampleAgent(),
  inline: null,
  takesModel: false,
  resumes: 'no',
  can: fewAbilities,
  commandOf: () => null,
  whyFree: 'it is a sample',
  needsNothing: true,
};`,
  'sample-agent.ts': `import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, AgentEvent, AgentSession, SessionRequest } from '#ports/agent.ts';
export function createSampleAgent(): Agent {
  return { driver: 'sample', reportsUsage: false, resumes: 'no', start };
}
async function start({ cwd, model }: SessionRequest): Promise<AgentSession> {
  writeFileSync(join(cwd, 'made'), '');
  async function* say(): AsyncGenerator<AgentEvent> {
    yield { type: 'text', text: '===WIGGUM_COMPLETE===' };
  }
  const result = { kind: 'finished', usage: { tokens: null, usd: null }, model } as const;
  return { events: say(), result: Promise.resolve(result), close: async () => {} };
}`,
};

const scratch = mkdtempSync(join(tmpdir(), 'untildone-recipes-'));

beforeAll(() => {
  cpSync(join(root, 'src'), join(scratch, 'src'), {
    recursive: true,
    filter: (path) => !path.endsWith('.test.ts') && !path.endsWith('/fixtures'),
  });
  cpSync(join(root, 'package.json'), join(scratch, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
  const config = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as object;
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify({ ...config, include: ['src'], exclude: [] }));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function make({ file, find, replace }: Change): void {
  const path = join(scratch, file);
  const text = readFileSync(path, 'utf8');
  expect(text.split(find), `the place of the change in ${file}`).toHaveLength(2);
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
}

/** What the program of the scratch copy prints in a repository with this configuration. */
function untildone(args: readonly string[], config: object): string {
  const repo = mkdtempSync(join(scratch, 'repo-'));
  const git = (...words: string[]) => spawnSync('git', ['-C', repo, ...words]);
  git('init', '-q');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@b');
  mkdirSync(join(repo, '.untildone'));
  writeFileSync(join(repo, '.untildone/config.jsonc'), JSON.stringify(config));
  git('add', '-A', '-f');
  git('commit', '-q', '-m', 'start');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(scratch, 'src/surfaces/cli/main.ts'), ...args],
    {
      cwd: repo,
      env: { PATH: process.env['PATH'], HOME: scratch, UNTILDONE_SANDBOX: 'none', NO_COLOR: '1' },
      encoding: 'utf8',
    },
  );
  return stdout + stderr;
}

/** The files that do not compile. */
function brokenFiles(): string[] {
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', join(scratch, 'tsconfig.json')], {
    cwd: scratch,
    encoding: 'utf8',
  });
  const files = stdout.split('\n').flatMap((line) => /^(src\/[^(]+)\(/.exec(line)?.[1] ?? []);
  return [...new Set(files)].toSorted();
}

function recipeOf(name: string): string {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const start = text.indexOf(`- **${name}**`);
  expect(start, `CONTRIBUTING.md has no recipe for ${name}`).toBeGreaterThan(-1);
  return /^- [^]*?(?=\n- \*\*|\n\n)/.exec(text.slice(start))?.[0] ?? '';
}

const pathsIn = (recipe: string): string[] =>
  [...recipe.matchAll(/`((?:src|test|docs)\/[^`]*)`/g)].flatMap((match) => match[1] ?? []);

describe('Recipes of CONTRIBUTING.md', () => {
  test('The sources compile before any recipe is followed', () => {
    expect(brokenFiles()).toEqual([]);
  });

  test.each(recipes)(
    'To add $name, the recipe names every file that does not compile after the first change',
    ({ recipe, change, follows }) => {
      const file = join(scratch, change.file);
      const text = readFileSync(file, 'utf8');
      make(change);
      const broken = brokenFiles();
      writeFileSync(file, text);
      expect(broken).toEqual(expect.arrayContaining([...follows]));
      const named = pathsIn(recipeOf(recipe));
      expect(broken.filter((path) => !named.includes(path))).toEqual([]);
    },
  );

  test('To add a command, its two files and one entry in program.ts are enough for the program, its help and its completion', () => {
    const cli = join(scratch, 'src/surfaces/cli');
    const program = readFileSync(join(cli, 'program.ts'), 'utf8');
    for (const [file, text] of Object.entries({ ...sampleCommand, 'program.ts': withSample(program) }))
      writeFileSync(join(cli, file), text);
    const said = (...args: string[]): string =>
      spawnSync(process.execPath, [join(cli, 'main.ts'), ...args], { cwd: scratch, encoding: 'utf8' }).stdout;
    expect(brokenFiles()).toEqual([]);
    expect(said('sample')).toBe('A sample.\n');
    expect(said('--help')).toMatch(/^Follow:\n {2}sample +print a sample$/m);
    expect(said('completion', 'bash')).toMatch(/\bsample\b/);
    expect(pathsIn(recipeOf('a command'))).toEqual([
      'src/surfaces/cli/commands/',
      'src/surfaces/cli/program.ts',
      'src/surfaces/cli/options/',
    ]);
  });

  test('To add a kind of check, the files that the recipe names are enough to write, run and show it', () => {
    for (const change of sampleCheck) make(change);
    expect(brokenFiles()).toEqual([]);
    const config = { checks: [{ id: 'one', sample: 'tea' }] };
    const shown = untildone(['run', 'x', '--dry-run', '--agent', 'command:true'], config);
    expect(shown).toContain('sample tea');
    expect(shown).toContain('no tea yet');
    const files = sampleCheck.map(({ file }) => file);
    expect(pathsIn(recipeOf('a kind of check')).filter((path) => path !== 'src/adapters/checkers/')).toEqual([
      ...new Set(files),
    ]);
  });

  test('To add an agent, a folder and a line in drivers.ts are enough to run it to its proof', () => {
    mkdirSync(join(scratch, 'src/agents/sample'));
    for (const [file, text] of Object.entries(sampleAgent))
      writeFileSync(join(scratch, 'src/agents/sample', file), text);
    appendFileSync(
      join(scratch, 'src/agents/drivers.ts'),
      "export { sample } from '#agents/sample/driver.ts';\n",
    );
    expect(brokenFiles()).toEqual([]);
    const config = { agents: { mine: { driver: 'sample' } } };
    const run = ['run', 'x', '--check', 'test -e made', '--agent', 'mine', '--verifier', 'none'];
    expect(untildone(run, config)).toMatch(/completed/i);
  });

  test('Every path that CONTRIBUTING.md names exists', () => {
    const contributing = pathsIn(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));
    expect(contributing.length).toBeGreaterThan(10);
    expect(contributing.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
