import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rememberAcceptReview } from '#config/answers.ts';
import type { RunFlags } from '#config/setting-table.ts';
import type { StartPlace } from './resolve-run.ts';
import { resolveRun } from './resolve-run.ts';

let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'untildone-resolve-'));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

const agent = ['command:./my-cli --flag'];
const withVerifier = [...agent, 'verifier=command:./my-cli --flag'];

function resolveIn(
  goal: string | undefined,
  flags: RunFlags,
  change: Partial<StartPlace> = {},
  sanityCheck = false,
) {
  const place: StartPlace = {
    cwd: root,
    root,
    prefix: '',
    repoId: 'r1',
    env: { HOME: root, PATH: '' },
    ownEnv: { HOME: root, PATH: '' },
    head: { commit: 'c0', branch: 'main' },
    ...change,
  };
  return resolveRun(place, { goal, flags, sanityCheck });
}

describe('The goal', () => {
  it('The goal comes from the command line, else from the plan in the repository [B2]', async () => {
    await mkdir(join(root, 'harness/project'), { recursive: true });
    await writeFile(join(root, 'harness/project/CLAUDE.md'), '# Do it\n');
    expect((await resolveIn('say hello', { agent })).config.goal).toBe('say hello');
    expect((await resolveIn(undefined, { agent })).config.goal).toBe('# Do it');
  });

  it('The plan is searched in WIGGUM_PLAN_DIR [B2] [B10]', async () => {
    await mkdir(join(root, 'plans'), { recursive: true });
    await writeFile(join(root, 'plans/CLAUDE.md'), 'from the plan');
    const { config } = await resolveIn(
      undefined,
      { agent },
      { env: { HOME: root, WIGGUM_PLAN_DIR: 'plans' } },
    );
    expect(config.goal).toBe('from the plan');
  });

  it('A missing goal gives an error that says how to write one [B2]', async () => {
    await expect(resolveIn(undefined, { agent })).rejects.toMatchObject({
      code: 'no-plan',
      hint: expect.stringContaining('untildone init') as string,
    });
  });
});

describe('Checks', () => {
  const withConfig = async (config: object) => {
    await mkdir(join(root, '.untildone'), { recursive: true });
    await writeFile(join(root, '.untildone/config.jsonc'), JSON.stringify(config));
    return resolveIn('x', { agent, check: ['file:a.md', 'npm test'] });
  };

  it('A flaky check is tolerated only if a setting says how', async () => {
    expect((await withConfig({})).config.flaky).toBeUndefined();
    expect((await withConfig({ check: { flaky: { retries: 2 } } })).config.flaky).toEqual({
      retries: 2,
      passes: null,
    });
    expect((await withConfig({ check: { flaky: { passes: 2 } } })).config.flaky).toEqual({
      retries: 2,
      passes: 2,
    });
  });

  it('A setting says how often a check that turned green runs again [K7]', async () => {
    const often = await withConfig({ check: { flaky: { runs: 5, within: '10m' } } });
    expect(often.config.flaky).toEqual({
      retries: 0,
      passes: null,
      again: { looks: 5, withinMs: 600_000 },
    });
    const once = await withConfig({ check: { flaky: { runs: 1 } } });
    expect(once.config.flaky?.again).toEqual({ looks: 1, withinMs: 1_000 });
  });

  it('The settings approval and onStuck are stored under their older names', async () => {
    const campaign = { approval: 'none', onStuck: 'end' };
    const { config } = await withConfig({ preset: 'campaign', campaign });
    expect(config.policy.planning).toMatchObject({ approval: 'nobody', deadEnd: 'end' });
  });

  it('A check of any kind may be listed as known red [X7]', async () => {
    expect((await withConfig({ knownRed: ['a-md-exists', 'npm-test'] })).config.knownRed).toHaveLength(2);
    await expect(withConfig({ knownRed: ['a-md'] })).rejects.toThrow('no check has the id "a-md"');
  });
});

describe('Agents', () => {
  it('A run without an agent is refused with the names of the clients on PATH [X6]', async () => {
    await writeFile(join(root, 'claude'), '#!/bin/sh\n');
    await chmod(join(root, 'claude'), 0o755);
    const given = resolveIn('x', {}, { env: { HOME: root, PATH: root } });
    await expect(given).rejects.toMatchObject({
      code: 'no-agent',
      hint: expect.stringContaining('On PATH: claude.') as string,
    });
    await expect(resolveIn('x', {})).rejects.toMatchObject({
      hint: expect.stringContaining('untildone demo') as string,
    });
  });

  it('An agent can be given for all roles, per role with a model, and inline', async () => {
    await mkdir(join(root, '.untildone'));
    await writeFile(
      join(root, '.untildone/config.jsonc'),
      '{ "agents": { "mine": { "driver": "command", "command": "./mine", "env": ["MINE_KEY"] } }, "agent": { "env": ["ALL_KEY"] } }',
    );
    await writeFile(join(root, 's.json'), '{}');
    const { config } = await resolveIn('x', { agent: ['scripted:s.json', 'verifier=mine:big'] });
    expect(config.roles['builder']?.agent).toEqual({ name: 'scripted:s.json', model: null });
    expect(config.roles['verifier']?.agent).toEqual({ name: 'mine', model: 'big' });
    expect(config.agents).toMatchObject({
      'scripted:s.json': {
        driver: 'scripted',
        env: ['ALL_KEY'],
        options: { script: join(root, 's.json') },
      },
      mine: { driver: 'command', env: ['ALL_KEY', 'MINE_KEY'], options: { command: './mine' } },
    });
  });

  it.each([
    [['reviewer=x'], 'there is no role "reviewer"'],
    [['command:'], 'names no command'],
    [['nobody'], 'There is no agent "nobody"'],
    [['acp:'], 'names no command'],
    [['openai'], 'The agent openai needs a model'],
  ])('The flag --agent %j is refused [X6]', async (given, message) => {
    await expect(resolveIn('x', { agent: given })).rejects.toThrow(message);
  });

  it.each([
    ['claude:opus', 'claude', 'opus', { driver: 'claude', options: {} }],
    [
      'ollama:qwen3-coder:30b',
      'ollama',
      'qwen3-coder:30b',
      { driver: 'openai', options: { provider: 'ollama' } },
    ],
    ['lmstudio', 'lmstudio', null, { driver: 'openai', options: { provider: 'lmstudio' } }],
    [
      'acp:./my-agent --acp',
      'acp:./my-agent --acp',
      null,
      { driver: 'acp', options: { command: './my-agent --acp' } },
    ],
  ])('The flag --agent %s needs no configuration [B8]', async (flag, name, model, expected) => {
    const { config } = await resolveIn('x', { agent: [`builder=${flag}`, 'verifier=command:./other'] });
    expect(config.roles['builder']?.agent).toEqual({ name, model });
    expect(config.agents[name]).toMatchObject(expected);
  });

  it.each(['codex', 'gemini', 'opencode'])(
    'The client %s is found on PATH, with its login and its own keys [B11]',
    async (client) => {
      await writeFile(join(root, client), '#!/bin/sh\n');
      await chmod(join(root, client), 0o755);
      const env = { HOME: root, PATH: root, OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' };
      const { config } = await resolveIn('x', { agent: [client] }, { env, ownEnv: env });
      expect(config.agents[client]?.driver).toBe(client === 'codex' ? 'codex' : 'acp');
      const key = client === 'gemini' ? 'GEMINI_API_KEY' : 'OPENAI_API_KEY';
      expect(config.agents[client]).toMatchObject({ env: [key], payer: { kind: 'key', name: key } });
    },
  );

  it('The key of a provider is passed on by its name only [B11]', async () => {
    const env = { HOME: root, PATH: '', OPENAI_API_KEY: 'sk-very-secret' };
    const { config } = await resolveIn('x', { agent: ['openai:gpt-5'] }, { env });
    expect(config.agents['openai']).toEqual({
      driver: 'openai',
      env: ['OPENAI_API_KEY'],
      options: { provider: 'openai', apiKeyEnv: 'OPENAI_API_KEY' },
      payer: { kind: 'key', name: 'OPENAI_API_KEY (from .env)' },
    });
    expect(JSON.stringify(config)).not.toContain('sk-very-secret');
  });

  it('A configured agent overrides a built-in one of the same name, and files may name a model', async () => {
    await mkdir(join(root, '.untildone'));
    await writeFile(
      join(root, '.untildone/config.jsonc'),
      `{ "agents": { "claude": { "driver": "command", "command": "./mine" }, "a:b": { "driver": "command", "command": "./ab" } },
         "roles": { "builder": { "agent": "ollama:qwen3" }, "verifier": { "agent": "a:b" } } }`,
    );
    const fromFlag = await resolveIn('x', { agent: ['claude:big'] });
    expect(fromFlag.config.agents['claude']).toEqual({
      driver: 'command',
      env: [],
      options: { command: './mine' },
      payer: { kind: 'unknown', name: "the agent's own login" },
    });
    const { config } = await resolveIn('x', {});
    expect(config.roles['builder']?.agent).toEqual({ name: 'ollama', model: 'qwen3' });
    expect(config.roles['verifier']?.agent).toEqual({ name: 'a:b', model: null });
  });

  it('Consent to root is given by a flag, reaches every agent that asks for it, and changes nothing where it is not given', async () => {
    await mkdir(join(root, '.untildone'));
    const agents = {
      opus: { driver: 'claude', asRoot: 'refuse' },
      mine: { driver: 'command', command: './m' },
    };
    await writeFile(join(root, '.untildone/config.jsonc'), JSON.stringify({ agents }));
    const agent = ['builder=opus', 'verifier=mine'];
    const plain = await resolveIn('x', { agent });
    expect(plain.config.agents['opus']?.options).toEqual({ asRoot: 'refuse' });
    const { config } = await resolveIn('x', { agent, allowRoot: true });
    expect(config.agents['opus']?.options).toEqual({ asRoot: 'allow' });
    expect(config.agents['mine']?.options).toEqual({ command: './m' });
    await writeFile(join(root, '.untildone/config.jsonc'), JSON.stringify({ agents, allowRoot: true }));
    expect((await resolveIn('x', { agent })).config.agents['opus']?.options).toEqual({ asRoot: 'allow' });
  });

  it('The model of a configured agent is the requested model, with any adapter', async () => {
    await mkdir(join(root, '.untildone'));
    const agents = {
      opus: { driver: 'claude', model: 'opus' },
      house: { driver: 'openai', baseUrl: 'http://127.0.0.1:9/v1', model: 'small' },
      mine: { driver: 'command', command: './mine', model: 'kept' },
    };
    await writeFile(join(root, '.untildone/config.jsonc'), JSON.stringify({ agents }));
    const { config } = await resolveIn('x', { agent: ['builder=opus', 'verifier=house'] });
    expect(config.roles['builder']?.agent).toEqual({ name: 'opus', model: 'opus' });
    expect(config.roles['verifier']?.agent).toEqual({ name: 'house', model: 'small' });
    // Its driver knows no such option, and would refuse it.
    expect(config.agents['opus']?.options).toEqual({});
    const other = await resolveIn('x', { agent: ['builder=opus:sonnet', 'verifier=mine'] });
    expect(other.config.roles['builder']?.agent.model).toBe('sonnet');
    // What a driver does not know is its own to refuse.
    expect(other.config.roles['verifier']?.agent.model).toBeNull();
    expect(other.config.agents['mine']?.options).toHaveProperty('model');
  });

  it('A mistyped agent gets the suggestion of a built-in one [X6]', async () => {
    await expect(resolveIn('x', { agent: ['claud'] })).rejects.toMatchObject({
      hint: 'Did you mean "claude"?',
    });
  });
});

describe('Agents of one task', () => {
  const two = ['builder=command:./one', 'verifier=command:./one'];
  const configure = async (text: string): Promise<void> => {
    await mkdir(join(root, '.untildone'));
    await writeFile(join(root, '.untildone/config.jsonc'), text);
  };

  it('The agents of a task are named on the command line by task and role, and are frozen with the task [C8]', async () => {
    const { config, tasks } = await resolveIn('x', {
      agent: [...two, 'main/builder=ollama:qwen3-coder:30b'],
    });
    expect(tasks[0]?.agents).toEqual({ builder: { name: 'ollama', model: 'qwen3-coder:30b' } });
    expect(config.roles['builder']?.agent).toEqual({ name: 'command:./one', model: null });
    expect(Object.keys(config.agents)).toEqual(['command:./one', 'ollama']);
    expect(config.agents['ollama']?.payer).toEqual({ kind: 'nobody', name: 'a local model' });
    const plain = await resolveIn('x', { agent: two });
    expect(plain.tasks[0]).not.toHaveProperty('agents');
    expect(plain.config.key).toBe(config.key);
    expect(plain.config.inputs).not.toBe(config.inputs);
  });

  it('Another model for an agent of a task changes the inputs of the run [B13] [C8]', async () => {
    const inputs = async (model: string): Promise<string> =>
      (await resolveIn('x', { agent: [...two, `main/builder=ollama:${model}`] })).config.inputs;
    expect(await inputs('small')).not.toBe(await inputs('big'));
  });

  it('Agents of a task are examined before money is spent: the payer sees their models [X1] [C8]', async () => {
    const { config } = await resolveIn('x', { agent: ['ollama', 'main/builder=ollama:gpt-oss:120b-cloud'] });
    expect(config.agents['ollama']?.payer).toEqual({ kind: 'unknown', name: 'the model runs elsewhere' });
  });

  it('Agents of tasks suffice where every task has one for every role [C8]', async () => {
    const agents = ['main/builder=command:./one', 'main/verifier=command:./two'];
    const { config } = await resolveIn('x', { agent: agents });
    expect(config.roles['verifier']?.agent.name).toBe('command:./two');
    await expect(resolveIn('x', { agent: agents.slice(0, 1) })).rejects.toMatchObject({ code: 'no-agent' });
  });

  it('Agents of a task come from the files where the command line has none for that role [C8]', async () => {
    await configure(
      '{ "agents": { "a": { "driver": "command", "command": "./a" }, "b": { "driver": "command", "command": "./b" } },\n' +
        '  "roles": { "builder": { "agent": "a" }, "verifier": { "agent": "a" } },\n' +
        '  "tasks": { "main": { "agents": { "builder": "b:big" } } } }',
    );
    const own = async (...flags: string[]) => (await resolveIn('x', { agent: flags })).tasks[0]?.agents;
    expect(await own()).toEqual({ builder: { name: 'b', model: 'big' } });
    expect(await own('verifier=b')).toEqual({ builder: { name: 'b', model: 'big' } });
    expect(await own('main/builder=a:small')).toEqual({ builder: { name: 'a', model: 'small' } });
    expect(await own('builder=a')).toBeUndefined();
    expect(await own('command:./trial')).toBeUndefined();
  });

  it.each([
    ['min/builder=claude', 'there is no task "min".', 'Did you mean "main"?'],
    ['somewhere/builder=claude', 'there is no task "somewhere".', 'The tasks are main.'],
    ['main/bulder=claude', 'there is no role "bulder".', 'Did you mean "builder"?'],
    ['main/architect=claude', 'there is no role "architect".', 'The roles are builder, verifier.'],
    ['main/builder=cluade', 'There is no agent "cluade".', 'Did you mean "claude"?'],
  ])('The flag --agent %s is refused with the valid names [X6]', async (flag, message, hint) => {
    const given = resolveIn('x', { agent: [...two, flag] });
    await expect(given).rejects.toMatchObject({ message: expect.stringContaining(message) as string, hint });
  });

  it('Agents for an unknown task or role in a file are refused with their place [X6]', async () => {
    await configure('{\n  "tasks": { "mian": { "agents": { "builder": "claude" } } }\n}');
    await expect(resolveIn('x', { agent: two })).rejects.toMatchObject({
      code: 'bad-config',
      message: expect.stringMatching(/config\.jsonc:2:36: there is no task "mian"\.$/) as string,
      hint: 'Did you mean "main"?',
    });
    await writeFile(join(root, '.untildone/config.jsonc'), '{ "tasks": { "main": { "agent": "a" } } }');
    await expect(resolveIn('x', { agent: two })).rejects.toThrow('did you mean "agents"?');
  });

  it('A command with a path and an equals sign is not read as an agent of a task', async () => {
    const { config } = await resolveIn('x', { agent: ['command:./cli --set a/b=c'] });
    expect(Object.keys(config.agents)).toEqual(['command:./cli --set a/b=c']);
  });
});

describe('The frozen configuration', () => {
  it('A run takes its limit of attempts from the preset, unless a person says otherwise [B1] [X1]', async () => {
    const plain = (await resolveIn('x', { agent })).config;
    expect([plain.policy.cooldownMs, plain.budget]).toEqual([
      2000,
      {
        sessions: 40,
        attemptsPerTask: 20,
        activeMs: 28_800_000,
        usd: 20,
        tokens: 20_000_000,
        sessionUsd: 5,
        sessionTokens: 5_000_000,
      },
    ]);
    expect((await resolveIn('x', { agent, maxLoops: '3' })).config.budget.attemptsPerTask).toBe(3);
    expect((await resolveIn('x', { agent, budget: ['attempts=4'] })).config.budget.attemptsPerTask).toBe(4);
  });

  it('Where two settings limit the attempts, the effective limit is named [X1]', async () => {
    const both = await resolveIn('x', { agent, maxLoops: '3', budget: ['attempts=4'] });
    expect(both.config.budget.attemptsPerTask).toBe(3);
    expect(both.notes).toContain(
      'Attempts are limited to 3 by --max-loops; --budget (budget.attempts 4) has no effect.',
    );
    const env = { HOME: root, PATH: '', WIGGUM_MAX_LOOPS: '2' };
    const other = await resolveIn('x', { agent, budget: ['attempts=4'] }, { env, ownEnv: env });
    expect(other.notes.join()).toContain('limited to 2 by WIGGUM_MAX_LOOPS; --budget');
    const one = await resolveIn('x', { agent, maxLoops: '3' });
    expect(one.notes.join()).not.toContain('has no effect');
  });

  it('A run has the same inputs with and without consent to run unsandboxed [B13]', async () => {
    const agent = ['command:true'];
    const without = await resolveIn('x', { agent });
    const consenting = await resolveIn('x', { agent, allowUnsandboxed: true });
    expect(consenting.config.sandbox?.isRequired).toBe(false);
    expect(consenting.config.inputs).toBe(without.config.inputs);
    const { differences } = await import('#app/run/same-run.ts');
    const other = await resolveIn('x', { agent, sandbox: 'none' });
    expect(other.config.inputs).not.toBe(without.config.inputs);
    expect(differences(without.config, other.config)).toEqual(['the sandbox']);
  });

  it('Preset and goal identify a run, and another check changes its inputs [B13]', async () => {
    const one = (await resolveIn('x', { agent, check: ['npm test'] })).config;
    const same = (
      await resolveIn(
        'x',
        { agent, check: ['npm test'], budget: ['usd=50'] },
        { head: { commit: 'c9', branch: 'main' } },
      )
    ).config;
    const other = (await resolveIn('x', { agent, check: ['npm run lint'] })).config;
    expect([same.key, same.inputs]).toEqual([one.key, one.inputs]);
    expect(other.key).toBe(one.key);
    expect(other.inputs).not.toBe(one.inputs);
    expect((await resolveIn('y', { agent })).config.key).not.toBe(one.key);
  });

  it('Checks get readable and distinct ids', async () => {
    const check = ['npm test', 'npm  test', 'npm test', 'true'];
    const { tasks } = await resolveIn('x', { agent: withVerifier, check });
    expect(tasks[0]?.criteria.map((criterion) => criterion.id)).toEqual([
      'npm-test',
      'npm-test-2',
      'true',
      'verifier',
    ]);
  });

  it('The prompts of the repository are used where it has some', async () => {
    await mkdir(join(root, '.untildone/prompts'), { recursive: true });
    await writeFile(join(root, '.untildone/prompts/builder.md'), 'Mine: {{goal}}');
    const { config } = await resolveIn('x', { agent: withVerifier });
    expect(config.roles['builder']?.prompt).toBe('Mine: {{goal}}');
    expect(config.roles['verifier']?.prompt).toContain('Somebody else did the work');
  });

  it('A known-red entry for a missing check is refused with the names of the checks [X7]', async () => {
    const check = ['npm test', 'true'];
    await expect(resolveIn('x', { agent, check, knownRed: 'true,zzz' })).rejects.toMatchObject({
      code: 'unknown-check',
      message: '--known-red: no check has the id "zzz".',
      hint: 'The checks are npm-test, true.',
    });
    const { config } = await resolveIn('x', { agent, check, knownRed: 'true' });
    expect(config.knownRed).toEqual(['true']);
  });

  it('A run freezes in-place work and the branches that no run may move', async () => {
    const { config } = await resolveIn('x', { agent, inPlace: true });
    expect(config.repo).toMatchObject({ inPlace: true, protectedBranches: ['main', 'master'] });
  });

  it('The sanity check is one iteration that our own check verifies [B12]', async () => {
    const { config, tasks } = await resolveIn(undefined, { agent }, {}, true);
    expect(config.policy.mayLeaveTreeUnchanged).toBe(true);
    expect(config.budget.attemptsPerTask).toBe(1);
    expect(config.roles['builder']?.prompt).toContain('wiggum-sanity-test.txt');
    expect(tasks[0]?.criteria.map((criterion) => criterion.check.kind)).toEqual(['command', 'reviewer']);
  });

  it('An unknown preset, a role that the preset lacks, and two checks with one id are refused [X6]', async () => {
    await expect(resolveIn('x', { agent, preset: 'builder-verfier' })).rejects.toMatchObject({
      hint: 'Did you mean "builder-verifier"?',
    });
    await expect(resolveIn('x', { agent, preset: 'foo' })).rejects.toMatchObject({
      message: 'There is no preset "foo".',
      hint: expect.stringMatching(
        /^The presets are builder-verifier, .*untildone run "…" --preset criteria$/,
      ) as string,
    });
    await mkdir(join(root, '.untildone'));
    await writeFile(join(root, '.untildone/config.jsonc'), '{ "preset": "foo" }');
    await expect(resolveIn('x', { agent })).rejects.toThrow('config.jsonc:1:3: there is no preset "foo".');
    await writeFile(join(root, '.untildone/config.jsonc'), '{ "roles": { "bilder": { "agent": "x" } } }');
    await expect(resolveIn('x', { agent })).rejects.toThrow('has no role "bilder"');
    await writeFile(
      join(root, '.untildone/config.jsonc'),
      '{ "checks": [{ "id": "a", "run": "x" }, { "id": "a", "run": "y" }] }',
    );
    await expect(resolveIn('x', { agent })).rejects.toThrow('Two checks have the id "a"');
  });
});

describe("A reviewer's pass alone", () => {
  const accepted = async (
    flags: RunFlags,
    change: Partial<StartPlace> = {},
    goal: string | undefined = 'x',
  ) => (await resolveIn(goal, { agent, ...flags }, change)).config.acceptReview;

  it('A reviewer completes no run alone unless a flag or a setting says so', async () => {
    expect(await accepted({})).toBe(false);
    expect(await accepted({ acceptReview: true })).toBe(true);
    await mkdir(join(root, '.untildone'));
    await writeFile(join(root, '.untildone/config.jsonc'), '{ "acceptReview": true }');
    expect(await accepted({})).toBe(true);
    expect(await accepted({ acceptReview: false })).toBe(false);
  });

  it('An answer given at a terminal is remembered, is overridden by settings, and leaves the inputs unchanged', async () => {
    const place = { stateHome: join(root, 'state') };
    const before = await resolveIn('x', { agent }, place);
    await rememberAcceptReview({ ...place, repoId: 'r1' }, true);
    const after = await resolveIn('x', { agent }, place);
    expect([before.config.acceptReview, after.config.acceptReview]).toEqual([false, true]);
    expect(after.config.inputs).toBe(before.config.inputs);
    expect(await accepted({ acceptReview: false }, place)).toBe(false);
    const said = await resolveIn('x', { agent, acceptReview: true }, place);
    expect(said.config.inputs).not.toBe(before.config.inputs);
  });

  it('A plan file defines success by its reviewer, where no check could turn green; a sanity check is exempt', async () => {
    await mkdir(join(root, 'harness/project'), { recursive: true });
    await writeFile(join(root, 'harness/project/CLAUDE.md'), '# Do it\n');
    expect((await resolveIn(undefined, { agent })).config.acceptReview).toBe('no-check-could-flip');
    expect((await resolveIn(undefined, { agent, acceptReview: false })).config.acceptReview).toBe(false);
    expect(await accepted({})).toBe(false);
    expect((await resolveIn(undefined, { agent }, {}, true)).config.acceptReview).toBe(true);
  });
});

it('The longest wait for a usage limit, and whether a fallback works meanwhile, are settings with defaults [U5] [C6]', async () => {
  const policyWith = async (settings: object) => {
    await mkdir(join(root, '.untildone'), { recursive: true });
    await writeFile(join(root, '.untildone/config.jsonc'), JSON.stringify(settings));
    return (await resolveIn('say hello', { agent })).config.policy;
  };
  const fallbacks = ['command:./other-cli'];
  expect(await policyWith({})).toMatchObject({ limitWaitMsMax: 12 * 3_600_000 });
  expect(await policyWith({ routing: { fallbacks } })).toMatchObject({
    routing: { onUsageLimit: 'fallback' },
  });
  const chosen = { usageLimit: { maxWait: '90m' }, routing: { fallbacks, onUsageLimit: 'wait' } };
  expect(await policyWith(chosen)).toMatchObject({
    limitWaitMsMax: 90 * 60_000,
    routing: { onUsageLimit: 'wait' },
  });
  await expect(policyWith({ usageLimit: { maxWait: 'long' } })).rejects.toThrow(/duration/);
  await expect(policyWith({ routing: { onUsageLimit: 'never' } })).rejects.toThrow(/onUsageLimit/);
});
