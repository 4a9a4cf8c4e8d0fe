// "To add a setting" in CONTRIBUTING: its key in the schema, its default, and one place that reads it; its flag, variable and
// library option are one row of a table.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { defaultSettings } from '#config/defaults.ts';
import { configSchema } from '#config/schema/schema.ts';
import { repositoryFiles, root } from '../tidy/repository.ts';
import { isProduct, type SourceFile, visit } from '../tidy/source-file.ts';

/** By free names: `agents.NAME`. */
const byName = ['$schema', 'agents', 'roles', 'tasks', 'domains'];

/** Part of a setting, however it is used: its default, the row of its flag, variable and library option, and how layers add up. */
const ownPlaces = ['src/config/defaults.ts', 'src/config/setting-table.ts', 'src/config/layers.ts'];

/** Settings that more than one file reads: how many do, and why. This list only gets shorter. */
const exceptions: { readonly [path: string]: readonly [files: number, why: string] } = {
  'actions.turnTimeout': [2, 'the message at the end of a turn names the setting that ended it'],
  'agent.env': [3, 'doctor and the sanity check start agents without a run'],
  allowRoot: [2, 'doctor starts agents without a run'],
  'budget.attempts': [2, 'config show says which limit of attempts is in force'],
  'durableSteps.defaultMaxAttempts': [2, 'config show says which limit of attempts is in force'],
  'loops.maxIterations': [2, 'config show says which limit of attempts is in force'],
  'loops.maxRetries': [2, 'config show says which limit of attempts is in force'],
  maxLoops: [2, 'config show says which limit of attempts is in force'],
  mayChange: [2, 'it is frozen with the run and with each task'],
  reviewers: [3, 'the roles, their agents and the flag that leaves them out'],
  'session.timeout': [2, 'the message at the end of a turn names the setting that ended it'],
};

test('Each setting is read by one file beside its schema and its default, or the list of exceptions says why', () => {
  const readers = readersOf(repositoryFiles());
  const paths = settingPaths(configSchema);
  const problems = paths.flatMap((path) => {
    const files = readers.get(path) ?? [];
    const allowed = exceptions[path]?.[0] ?? 1;
    return files.length === allowed ? [] : [`${path}: ${allowed} expected, read by ${files.join(', ')}`];
  });
  expect(problems).toEqual([]);
  expect(Object.keys(exceptions).filter((path) => !paths.includes(path))).toEqual([]);
});

test('Each default is a value that the schema accepts', () => {
  const paths = settingPaths(configSchema);
  for (const [path, value] of Object.entries(defaultSettings)) {
    expect(paths).toContain(path);
    expect(configSchema.parse(nested(path.split('.'), value))).toEqual(nested(path.split('.'), value));
  }
});

test.each([
  ["setting(settings, 'usageLimit.maxWait')", ['usageLimit.maxWait']],
  ["durationOf(settings, 'cooldown')", ['cooldown']],
  ["settings.get('checks')?.origin", ['checks']],
  ["const paths = ['stuck.max']", ['stuck.max']],
  ["map.get('checks'); const word = 'checks'", []],
  ["const words = 'see usageLimit.maxWait for more'; budget.usd", []],
])('A file that holds %s reads the settings %j', (text, paths) => {
  const readers = readersOf([{ path: 'src/config/resolve/x.ts', text }]);
  expect([...readers.keys()].filter((path) => settingPaths(configSchema).includes(path))).toEqual(paths);
});

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test('A setting that is added in these three places compiles, has a type and is shown by config show', () => {
  const copy = scratchCopy();
  const change = changesIn(copy);
  change(
    'src/config/schema/routing-schema.ts',
    '    maxWait: ',
    '    pause: duration.optional(),\n    maxWait: ',
  );
  change(
    'src/config/defaults.ts',
    "  'usageLimit.maxWait':",
    "  'usageLimit.pause': '5s',\n  'usageLimit.maxWait':",
  );
  change(
    'src/config/resolve/frozen.ts',
    "durationOf(settings, 'usageLimit.maxWait')",
    "durationOf(settings, 'usageLimit.maxWait') + durationOf(settings, 'usageLimit.pause')",
  );
  expect(compile(copy)).toBe('');
  expect(configShow(copy)).toMatch(/^usageLimit\.pause +"5s" {2}\(default\)$/m);

  change('src/config/defaults.ts', "'5s'", 'true');
  expect(compile(copy)).toMatch(/^src\/config\/defaults\.ts.*boolean/m);
});

test('One more row of the table is a flag with help, a variable and an option of the library', () => {
  const copy = scratchCopy();
  const change = changesIn(copy);
  const row = `key: 'usageLimit.maxWait', flag: '--limit-wait <time>', help: 'how long to wait', takes: 'duration', variable: 'X_WAIT', example: "'1h'"`;
  change('src/config/setting-table.ts', '  preset: {', `  limitWait: { ${row} },\n  preset: {`);
  expect(compile(copy)).toBe('');
  expect(command(copy, ['run', '--help'])).toMatch(/^ +--limit-wait <time> +how long to wait$/m);
  expect(command(copy, ['completion', 'bash'])).toContain('--limit-wait');
  const bad = ['run', 'g', '--limit-wait', 'x', '--agent', 'command:true'];
  expect(command(copy, bad)).toMatch(/^--limit-wait is "x", which is not a duration\.$/m);
  expect(command(copy, ['config', 'show'], { X_WAIT: '2h' })).toMatch(
    /^usageLimit\.maxWait +"2h" {2}\(environment: X_WAIT\)$/m,
  );
  expect(libraryError(copy, '{ limitWait: 5 }')).toContain("flags: { limitWait: '1h' }");
  expect(libraryError(copy, "{ limitWait: 'x' }")).toContain('flags.limitWait is "x"');

  change('src/config/setting-table.ts', "help: 'how long to wait', takes: 'duration'", "takes: 'switch'");
  expect(compile(copy)).toMatch(/^src\/config\/setting-table\.ts.*usageLimit\.maxWait/m);
});

function changesIn(copy: string) {
  return (file: string, before: string, after: string): void => {
    const text = readFileSync(join(copy, file), 'utf8');
    expect(text).toContain(before);
    writeFileSync(
      join(copy, file),
      text.replace(before, () => after),
    );
  };
}

function settingPaths(schema: z.core.$ZodType, above = ''): string[] {
  return Object.entries(shapeOf(schema) ?? {}).flatMap(([key, below]) => {
    if (byName.includes(key)) return [];
    return shapeOf(below) === undefined ? [`${above}${key}`] : settingPaths(below, `${above}${key}.`);
  });
}

/** Undefined for a schema of one value. */
function shapeOf(schema: z.core.$ZodType): z.core.$ZodShape | undefined {
  if (schema instanceof z.ZodOptional) return shapeOf(schema.def.innerType);
  return schema instanceof z.ZodObject ? schema.def.shape : undefined;
}

function nested([head = '', ...rest]: readonly string[], value: unknown): unknown {
  return { [head]: rest.length === 0 ? value : nested(rest, value) };
}

/** By path, the files that spell it: a path of one word only where it is looked up. */
function readersOf(files: readonly SourceFile[]): Map<string, string[]> {
  const readers = new Map<string, string[]>();
  for (const file of files) {
    if (!isProduct(file) || ownPlaces.includes(file.path) || file.path.startsWith('src/config/schema/'))
      continue;
    for (const path of spelled(file)) readers.set(path, [...(readers.get(path) ?? []), file.path]);
  }
  return readers;
}

function spelled(file: SourceFile): Set<string> {
  const paths = new Set<string>();
  visit(file, {
    Literal: ({ value }) => {
      if (typeof value === 'string' && /^\w+(?:\.\w+)+$/.test(value)) paths.add(value);
    },
    CallExpression: ({ callee, arguments: given }) => {
      if (!isLookup(file.text.slice(callee.start, callee.end))) return;
      for (const one of given)
        if (one.type === 'Literal' && typeof one.value === 'string') paths.add(one.value);
    },
  });
  return paths;
}

function isLookup(callee: string): boolean {
  return /^(?:setting|durationOf|(?:settings|merged|layer)\.(?:get|has))$/.test(callee);
}

function scratchCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), 'untildone-setting-'));
  folders.push(copy);
  for (const part of ['src', 'bin', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const tsconfig = { extends: './tsconfig.json', include: [], files: ['src/config/resolve/frozen.ts'] };
  writeFileSync(join(copy, 'tsconfig.setting.json'), JSON.stringify(tsconfig));
  return copy;
}

/** What the compiler says; '' where all is well. */
function compile(copy: string): string {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  try {
    return execFileSync(process.execPath, [tsc, '-p', 'tsconfig.setting.json'], {
      cwd: copy,
      encoding: 'utf8',
    });
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
  }
}

function configShow(copy: string): string {
  return command(copy, ['config', 'show']);
}

/** What a command prints, also where it fails. */
function command(
  copy: string,
  args: readonly string[],
  more: { readonly [name: string]: string } = {},
): string {
  return programOutput(copy, [join(copy, 'bin/untildone.js'), ...args], more);
}

/** What `run()` says of wrong flags. */
function libraryError(copy: string, flags: string): string {
  const call = `run({ goal: 'g', agent: 'command:true', checks: ['false'], flags: ${flags} })`;
  const script = `const { run } = await import(${JSON.stringify(join(copy, 'src/index.ts'))});
    await ${call}.catch(({ message, hint }) => console.log(message, hint));`;
  return programOutput(copy, ['--input-type=module', '--eval', script]);
}

function programOutput(
  copy: string,
  args: readonly string[],
  more: { readonly [name: string]: string } = {},
): string {
  const home = join(copy, 'home');
  mkdirSync(home, { recursive: true });
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  execFileSync('git', ['init', '-q'], { cwd: home });
  execFileSync('git', [...author, 'commit', '-q', '--allow-empty', '-m', 'first'], { cwd: home });
  const env = { PATH: process.env['PATH'], HOME: home, ...more };
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: home, env, encoding: 'utf8' });
  return stdout + stderr;
}
