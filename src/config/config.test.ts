import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allowedEnvironment } from '#config/agents/agent-env.ts';
import { parseConfig } from './config-file.ts';
import { parseDuration } from '#base/duration.ts';
import { withEnvFile } from './env-file.ts';
import { environmentLayer, startFolder } from './environment.ts';
import { flagLayer } from './flags.ts';
import { setting } from './layers.ts';
import { loadSettings } from './load.ts';
import { renamedKeys } from '#config/schema/renamed.ts';
import { suggest } from '#base/suggest.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untildone-config-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function write(path: string, text: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

describe('Precedence', () => {
  it('Flags override the environment, which overrides project file, user file and defaults [B10]', async () => {
    const project = await write(
      'repo/.untildone/config.jsonc',
      '{ "maxLoops": 3, "cooldown": 3, "budget": { "usd": 3, "hours": 3 } }',
    );
    await write(
      'user/untildone/config.jsonc',
      '{ "maxLoops": 4, "cooldown": 4, "budget": { "usd": 4, "tokens": 4 }, "copy": [".env.test"] }',
    );
    const env = {
      XDG_CONFIG_HOME: join(folder, 'user'),
      WIGGUM_MAX_LOOPS: '2',
      WIGGUM_COOLDOWN_SECONDS: '2',
    };
    const root = join(folder, 'repo');
    const { merged } = await loadSettings({ cwd: root, root, env, flags: flagLayer({ maxLoops: '1' }) });
    expect(merged.get('maxLoops')).toEqual({ value: 1, origin: { kind: 'flag', where: '--max-loops' } });
    expect(merged.get('cooldown')).toEqual({
      value: 2,
      origin: { kind: 'environment', where: 'WIGGUM_COOLDOWN_SECONDS' },
    });
    expect(merged.get('budget.usd')).toEqual({
      value: 3,
      origin: { kind: 'project', where: `${project}:1:45` },
    });
    expect(merged.get('budget.tokens')).toMatchObject({ value: 4, origin: { kind: 'user' } });
    expect(merged.get('budget.sessions')).toEqual({ value: 40, origin: { kind: 'default', where: '' } });
  });

  it('The checks of the command line are added to those of the file', async () => {
    await write('repo/.untildone/config.jsonc', '{ "checks": ["npm test"] }');
    const root = join(folder, 'repo');
    const { merged } = await loadSettings({
      cwd: root,
      root,
      env: { HOME: folder },
      flags: flagLayer({ check: ['npm run lint'] }),
    });
    expect(setting(merged, 'checks')).toEqual(['npm run lint', 'npm test']);
  });

  it('The nearest project file is found from a subdirectory, and the search ends at the root [X6]', async () => {
    await write('.untildone/config.jsonc', '{ "maxLoops": 9 }');
    await write('repo/.untildone/config.jsonc', '{ "maxLoops": 7 }');
    await mkdir(join(folder, 'repo/packages/a b'), { recursive: true });
    await mkdir(join(folder, 'bare'), { recursive: true });
    const load = (cwd: string, root: string) =>
      loadSettings({ cwd, root, env: { HOME: folder }, flags: new Map() });
    const inside = await load(join(folder, 'repo/packages/a b'), join(folder, 'repo'));
    expect(setting(inside.merged, 'maxLoops')).toBe(7);
    const bare = await load(join(folder, 'bare'), join(folder, 'bare'));
    expect(setting(bare.merged, 'maxLoops')).toBeUndefined();
  });
});

describe('A config file', () => {
  it('A config file may have comments and trailing commas', async () => {
    const layer = await parseConfig('// why\n{ "checks": ["npm test",], /* here */ }', 'c.jsonc', 'project');
    expect(setting(layer, 'checks')).toEqual(['npm test']);
  });

  it.each([
    ['{\n  "chekcs": []\n}', 'c.jsonc:2:3: unknown key "chekcs"; did you mean "checks"?'],
    [
      '{ "budget": { "session": 3 } }',
      'c.jsonc:1:15: unknown key "budget.session"; did you mean "sessions"?',
    ],
    [
      '{ "checks": ["a", { "run": "b", "timeuot": 3 }] }',
      'c.jsonc:1:33: unknown key "checks.1.timeuot"; did you mean "timeout"?',
    ],
    [
      '{ "roles": { "builder": { "modle": "x" } } }',
      'c.jsonc:1:27: unknown key "roles.builder.modle"; did you mean "model"?',
    ],
    ['{ "maxLoops": "many" }', 'c.jsonc:1:15: "maxLoops": must be a number, such as 50.'],
    ['{ "budget": { "usd": "50" } }', 'c.jsonc:1:22: "budget.usd": must be a number, such as 50.'],
    ['{ "maxLoops": 0 }', 'c.jsonc:1:15: "maxLoops": must be '],
    ['{ "acceptReview": "yes" }', 'c.jsonc:1:19: "acceptReview": must be true or false.'],
    ['{ "cooldown": "soon" }', 'c.jsonc:1:15: "cooldown": must be a duration'],
    ['{ "maxLoops": 1', 'c.jsonc:1:16: is not valid JSON: "}" is missing.'],
    ['', 'c.jsonc:1:1: is'],
    ['[]', 'c.jsonc:1:1: the configuration: must be an object: { … }.'],
  ])('The config file %j is refused with its place [X6]', async (text, message) => {
    await expect(parseConfig(text, 'c.jsonc', 'project')).rejects.toMatchObject({
      name: 'OperatorError',
      code: 'bad-config',
      message: expect.stringContaining(message) as string,
    });
  });

  it.each([
    [
      '{ "campaign": { "deadEnd": "end" } }',
      'c.jsonc:1:17: "campaign.deadEnd" is now called "campaign.onStuck".',
    ],
    [
      '{ "campaign": { "approval": "nobody" } }',
      'c.jsonc:1:29: "campaign.approval": "nobody" is now called "none".',
    ],
    ['{ "check": { "flaky": { "looks": 1 } } }', '"check.flaky.looks" is now called "check.flaky.runs".'],
    ['{ "limits": { "wait": "1h" } }', 'c.jsonc:1:3: "limits.wait" is now called "usageLimit.maxWait".'],
    ['{ "usageLimits": ["quota"] }', 'c.jsonc:1:3: "usageLimits" is now called "usageLimit.patterns".'],
    ['{ "session": { "wall": "1h" } }', 'c.jsonc:1:16: "session.wall" is now called "session.timeout".'],
    ['{ "session": { "idle": "1m" } }', '"session.idle" is now called "session.idleTimeout".'],
    ['{ "notify": [{ "to": "terminal", "sign": "bell" }] }', '"notify.sign" is now called "notify.method".'],
  ])('The old name in %s is refused with the new one [X6]', async (text, message) => {
    await expect(parseConfig(text, 'c.jsonc', 'project')).rejects.toMatchObject({
      code: 'bad-config',
      message: expect.stringContaining(message) as string,
    });
  });

  it('Each new name is accepted where the old one is refused', async () => {
    const text = `{
      "campaign": { "onStuck": "end", "approval": "none" },
      "check": { "flaky": { "runs": 1 } },
      "usageLimit": { "maxWait": "1h", "patterns": ["quota"] },
      "session": { "timeout": "1h", "idleTimeout": "1m" },
      "notify": [{ "to": "terminal", "method": "bell" }]
    }`;
    const layer = await parseConfig(text, 'c.jsonc', 'project');
    const news = Object.values(renamedKeys).map((path) => path.replace(/\.\*.*/, ''));
    expect([...layer.keys()].toSorted()).toEqual([...news, 'campaign.approval'].toSorted());
  });

  it('A config file leaves the options of an agent to its adapter', async () => {
    const layer = await parseConfig(
      '{ "agents": { "mine": { "driver": "command", "command": "x", "whatever": 1 } } }',
      'c',
      'user',
    );
    expect(layer.get('agents.mine')?.value).toEqual({ driver: 'command', command: 'x', whatever: 1 });
  });
});

describe('The environment', () => {
  it.each([
    ['WIGGUM_MAX_LOOPS', '0'],
    ['WIGGUM_MAX_LOOPS', 'twenty'],
    ['WIGGUM_MAX_LOOPS', '1e3'],
    ['UNTILDONE_CHECK_RUNS', '0'],
    ['UNTILDONE_ACCEPT_REVIEW', 'yes'],
    ['WIGGUM_COOLDOWN_SECONDS', '-1'],
  ])('The variable %s=%s is refused by name and value [B10]', (name, value) => {
    expect(() => environmentLayer({ [name]: value })).toThrow(`${name} is "${value}"`);
  });

  it('The old variable UNTILDONE_LOOKS is refused with the new name', () => {
    expect(() => environmentLayer({ UNTILDONE_LOOKS: '1' })).toThrow(
      'UNTILDONE_LOOKS is now called UNTILDONE_CHECK_RUNS.',
    );
    expect(environmentLayer({ UNTILDONE_LOOKS: '' }).size).toBe(0);
    expect(setting(environmentLayer({ UNTILDONE_CHECK_RUNS: '1' }), 'check.flaky.runs')).toBe(1);
  });

  it('UNTILDONE_ACCEPT_REVIEW says whether a reviewer alone completes a run [B10]', () => {
    const layer = environmentLayer({ UNTILDONE_ACCEPT_REVIEW: 'true' });
    expect(layer.get('acceptReview')).toMatchObject({ value: true, origin: { kind: 'environment' } });
  });

  it('WIGGUM_REPO_ROOT sets the folder to start in [B10]', () => {
    expect(startFolder('/here', {})).toBe('/here');
    expect(startFolder('/here', { WIGGUM_REPO_ROOT: '/there' })).toBe('/there');
    expect(startFolder('/here', { WIGGUM_REPO_ROOT: 'sub' })).toBe(join('/here', 'sub'));
  });

  it('A .env file is loaded with quotes, export and comments, and existing variables win [B11]', async () => {
    await write('.env', '# keys\nexport A="one two"\nB=\'#kept\' # comment\nC=from-file\n\nD=\n');
    expect(await withEnvFile(folder, { C: 'existing' })).toEqual({
      A: 'one two',
      B: '#kept',
      C: 'existing',
      D: '',
    });
    expect(await withEnvFile(join(folder, 'absent'), { C: 'x' })).toEqual({ C: 'x' });
  });

  it('An agent gets the base variables and its own keys, never the whole environment [B11]', () => {
    const env = {
      PATH: '/bin',
      LC_ALL: 'C',
      XDG_RUNTIME_DIR: '/r',
      https_proxy: 'p',
      MY_KEY: 'k',
      OTHER_KEY: 's',
      AWS_SECRET: 's',
      UNTILDONE_MARK: 'm',
    };
    const base = { PATH: '/bin', LC_ALL: 'C', XDG_RUNTIME_DIR: '/r', https_proxy: 'p' };
    expect(allowedEnvironment(env)).toEqual(base);
    expect(allowedEnvironment(env, ['MY_KEY', 'ABSENT', 'LITERAL=a=b'], { SET: 'v' })).toEqual({
      LITERAL: 'a=b',
      ...base,
      MY_KEY: 'k',
      SET: 'v',
    });
    expect(allowedEnvironment(env, ['OTHER_KEY'])).toEqual({ ...base, OTHER_KEY: 's' });
  });
});

describe('Flags', () => {
  it('A budget flag is read with its unit [X1]', () => {
    const layer = flagLayer({ budget: ['usd=50,sessions=80', 'tokens=20M'] });
    expect([
      setting(layer, 'budget.usd'),
      setting(layer, 'budget.sessions'),
      setting(layer, 'budget.tokens'),
    ]).toEqual([50, 80, 20_000_000]);
  });

  it('A budget flag that is only a number is read as US dollars [X1]', () => {
    expect(setting(flagLayer({ budget: ['50'] }), 'budget.usd')).toBe(50);
    const both = flagLayer({ budget: ['2.50,sessions=80'] });
    expect([setting(both, 'budget.usd'), setting(both, 'budget.sessions')]).toEqual([2.5, 80]);
  });

  it.each([
    [{ budget: ['dollars=5'] }, '--budget does not know "dollars=5".'],
    [{ budget: ['usd'] }, '--budget usd: "" is not a number above 0.'],
    [{ budget: ['sessions=1.5'] }, '"1.5" is not a whole number'],
    [{ budget: ['0'] }, '--budget 0: "0" is not a number above 0.'],
    [{ budget: ['50x'] }, '--budget 50x: "50x" is not a number above 0.'],
    [{ budget: ['5=usd'] }, '--budget 5=usd: "5=usd" is not a number above 0.'],
    [{ budget: ['usd=-3'] }, '"-3" is not a number above 0'],
    [{ maxLoops: 'x' }, '--max-loops is "x"'],
    [{ cooldown: 'later' }, '--cooldown is "later"'],
  ])('The flag %j is refused [X6]', (flags, message) => {
    expect(() => flagLayer(flags)).toThrow(message);
  });
});

describe('Words', () => {
  it('Durations are read with their units', () => {
    expect([2, '90s', '20m', '1.5h', '500ms'].map(parseDuration)).toEqual([
      2000, 90_000, 1_200_000, 5_400_000, 500,
    ]);
    expect([-1, '', 'x', '5 days'].map(parseDuration)).toEqual([null, null, null, null]);
  });

  it('A suggestion is given only for a similar word', () => {
    expect(suggest('chekcs', ['checks', 'copy'])).toBe('checks');
    expect(suggest('zzzz', ['checks', 'copy'])).toBeNull();
  });
});
