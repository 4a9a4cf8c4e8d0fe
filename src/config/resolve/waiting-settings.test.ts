// `durableSteps.*` and `suspension.*` in a configuration file, resolved into a run.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSuspension } from '#kernel/waiting/suspension-settings.ts';
import { parseConfig } from '#config/config-file.ts';
import { wakesOnStart } from './durable.ts';
import type { RunFlags } from '#config/setting-table.ts';
import { flagLayer } from '#config/flags.ts';
import { loadSettings } from '#config/load.ts';
import type { ResolvedRun } from './resolve-run.ts';
import { resolveRun } from './resolve-run.ts';

let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'untildone-waiting-'));
  await mkdir(join(root, '.untildone'));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function placeWith(config: object) {
  await writeFile(join(root, '.untildone/config.jsonc'), JSON.stringify(config));
  const env = { HOME: root, PATH: '' };
  return {
    cwd: root,
    root,
    prefix: '',
    repoId: 'r1',
    env,
    ownEnv: env,
    head: {
      commit: 'c0',
      branch: 'main',
    },
  };
}

async function resolve(config: object, flags: RunFlags = {}): Promise<ResolvedRun> {
  const place = await placeWith(config);
  return resolveRun(place, {
    goal: flags.preset === 'queue' ? undefined : 'x',
    flags: { agent: ['command:./my-cli'], check: ['npm test'], ...flags },
    sanityCheck: false,
  });
}

async function settingsOf(config: object) {
  const place = await placeWith(config);
  return (await loadSettings({ ...place, flags: flagLayer({}) })).merged;
}

describe('The settings durableSteps.*', () => {
  it('A run freezes enabled and autoResume where they are switched off, and only there [D2]', async () => {
    expect((await resolve({})).config.durable).toBeUndefined();
    expect((await resolve({ durableSteps: { enabled: true } })).config.durable).toBeUndefined();
    expect((await resolve({ durableSteps: { enabled: false } })).config.durable).toEqual({
      enabled: false,
      autoResume: true,
    });
    expect((await resolve({ durableSteps: { autoResume: false } })).config.durable).toEqual({
      enabled: true,
      autoResume: false,
    });
  });

  it('Switching durableSteps does not make an unfinished run look changed [D2] [D4]', async () => {
    const { inputs } = (await resolve({})).config;
    expect((await resolve({ durableSteps: { enabled: false } })).config.inputs).toBe(inputs);
    expect((await resolve({ durableSteps: { autoResume: false } })).config.inputs).toBe(inputs);
  });

  it('Commands wake suspended runs unless checkSuspensionsOnStart or enabled is off [D2]', async () => {
    expect(wakesOnStart(await settingsOf({}))).toBe(true);
    expect(wakesOnStart(await settingsOf({ durableSteps: { checkSuspensionsOnStart: false } }))).toBe(false);
    expect(wakesOnStart(await settingsOf({ durableSteps: { enabled: false } }))).toBe(false);
  });

  it('The setting defaultMaxAttempts limits a task where the preset has no limit of its own [D2] [X1]', async () => {
    await writeFile(
      join(root, 'TASKS.md'),
      '## Task 1: t\n\n**Description**: d\n\n**Acceptance Criteria**:\n- [ ] a (check: true)\n',
    );
    const attempts = async (config: object, flags: RunFlags = {}): Promise<number> =>
      (await resolve(config, { preset: 'queue', ...flags })).config.budget.attemptsPerTask;
    const seven = { durableSteps: { defaultMaxAttempts: 7 } };
    expect(await attempts({})).toBe(5);
    expect(await attempts(seven)).toBe(7);
    expect(await attempts(seven, { maxLoops: '3' })).toBe(3);
    expect(await attempts({ ...seven, budget: { attempts: 4 } })).toBe(4);
  });

  it.each([
    ['builder-verifier', 20, 'allows 20 attempts'],
    ['campaign', 4, 'allows 4 attempts'],
    ['actions', 10, 'allows 10 attempts'],
    ['criteria', 1000, 'counts by loops.*'],
  ])(
    'The preset %s keeps its own limit of attempts, and the run says so [D2] [X1]',
    async (preset, own, why) => {
      const { config, notes } = await resolve({ durableSteps: { defaultMaxAttempts: 7 } }, { preset });
      expect(config.budget.attemptsPerTask).toBe(own);
      expect(notes.join('\n')).toContain(
        `durableSteps.defaultMaxAttempts has no effect: the preset ${preset} ${why}.`,
      );
      expect((await resolve({}, { preset })).notes.join('\n')).not.toContain('defaultMaxAttempts');
    },
  );
});

describe('The settings suspension.*', () => {
  const others = {
    enabled: false,
    pollIntervalSeconds: 5,
    maxPollAttempts: 7,
    pollTimeoutSeconds: 9,
    reminderAfterHours: 1.5,
    byAgents: { maxHours: 2, perRun: 3 },
  };

  it('Every suspension setting reaches the run [U1]', async () => {
    expect((await resolve({ suspension: others })).config.suspension).toEqual({
      isEnabled: false,
      pollEveryMs: 5000,
      pollLooksMax: 7,
      pollTimeoutMs: 9000,
      remindAfterMs: 5_400_000,
      byAgents: { hoursMax: 2, perRunMax: 3 },
    });
  });

  it.each(Object.keys(others) as (keyof typeof others)[])(
    'The setting suspension.%s alone leaves the others at their defaults [U1]',
    async (name) => {
      const { suspension } = (await resolve({ suspension: { [name]: others[name] } })).config;
      const differing = Object.entries(suspension ?? {}).filter(
        ([key, value]) =>
          JSON.stringify(value) !== JSON.stringify(defaultSuspension[key as keyof typeof defaultSuspension]),
      );
      expect(differing).toHaveLength(1);
    },
  );

  it('Defaults are not frozen, so that an older run does not look changed; set values are inputs [U1] [D4]', async () => {
    const { config } = await resolve({});
    expect(config.suspension).toBeUndefined();
    const given = (await resolve({ suspension: { maxPollAttempts: 7 } })).config;
    expect(given.inputs).not.toBe(config.inputs);
  });

  it.each([
    ['{ "suspension": { "pollIntervalSeconds": 0 } }', 'suspension.pollIntervalSeconds'],
    ['{ "suspension": { "pollIntervalSeconds": 1e9 } }', 'suspension.pollIntervalSeconds'],
    ['{ "suspension": { "maxPollAttempts": 1.5 } }', 'suspension.maxPollAttempts'],
    ['{ "suspension": { "reminderAfterHours": -1 } }', 'suspension.reminderAfterHours'],
    ['{ "suspension": { "byAgents": { "perRun": "many" } } }', 'suspension.byAgents.perRun'],
    ['{ "suspension": { "byAgents": { "maxHours": 1e9 } } }', 'suspension.byAgents.maxHours'],
    ['{ "suspension": { "pollIntervalSecond": 5 } }', 'did you mean "pollIntervalSeconds"?'],
    ['{ "durableSteps": { "enabled": "no" } }', 'durableSteps.enabled'],
    ['{ "durableSteps": { "defaultMaxAttempts": 0 } }', 'durableSteps.defaultMaxAttempts'],
    ['{ "durableSteps": { "autoresume": false } }', 'did you mean "autoResume"?'],
  ])('The file %s is refused, and the error names the setting [D2] [U1]', async (text, name) => {
    await expect(parseConfig(text, 'c', 'project')).rejects.toThrow(name);
  });
});
