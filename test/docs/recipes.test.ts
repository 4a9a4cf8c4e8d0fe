// The recipes of CONTRIBUTING.md. The first change of each is made in a scratch copy of the sources; the compiler then names
// the files that have to follow, and the recipe must name each of them.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../tidy/repository.ts';

interface Change {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** The smallest addition; the compiler must find at least `follows`. */
const recipes: Readonly<Record<string, { readonly change: Change; readonly follows: readonly string[] }>> = {
  'an event': {
    change: {
      file: 'src/kernel/events/events.ts',
      find: "  | { readonly type: 'driver-left'",
      replace:
        "  | { readonly type: 'sample-seen'; readonly text: string }\n  | { readonly type: 'driver-left'",
    },
    follows: ['src/kernel/events/event-schema.ts', 'src/kernel/fold/apply.ts', 'src/views/lines/show.ts'],
  },
  'a control': {
    change: {
      file: 'src/kernel/events/control.ts',
      find: "  | { readonly kind: 'tell';",
      replace: "  | { readonly kind: 'sample'; readonly text: string }\n  | { readonly kind: 'tell';",
    },
    follows: ['src/kernel/decide/decide-controls.ts', 'src/kernel/events/control-schema.ts'],
  },
  'a kind of check': {
    change: {
      file: 'src/kernel/model/check.ts',
      find: '  | HeldOutCheck;',
      replace: "  | HeldOutCheck\n  | { readonly kind: 'sample'; readonly text: string };",
    },
    follows: ['src/adapters/checkers/create-checker.ts', 'src/kernel/model/check-shape.ts'],
  },
  'a store': {
    change: {
      file: 'src/ports/store.ts',
      find: 'export interface Store {',
      replace: 'export interface Store {\n  sample(): void;',
    },
    follows: ['src/adapters/store/store.ts'],
  },
};

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

  test.each(Object.entries(recipes))(
    'To add %s, the recipe names every file that does not compile after the first change',
    (name, { change, follows }) => {
      const file = join(scratch, change.file);
      const text = readFileSync(file, 'utf8');
      expect(text.split(change.find), `the place of the change in ${change.file}`).toHaveLength(2);
      writeFileSync(file, text.replace(change.find, change.replace));
      const broken = brokenFiles();
      writeFileSync(file, text);
      expect(broken).toEqual(expect.arrayContaining([...follows]));
      const named = pathsIn(recipeOf(name));
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

  test('Every path that CONTRIBUTING.md names exists', () => {
    const contributing = pathsIn(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));
    expect(contributing.length).toBeGreaterThan(10);
    expect(contributing.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
