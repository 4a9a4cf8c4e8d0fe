import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunFlags } from '#config/setting-table.ts';
import { resolveRun } from '#config/resolve/resolve-run.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'untildone-reviewers-'));
  await mkdir(join(root, '.untildone'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function resolved(reviewers: unknown, flags: RunFlags = {}, sanityCheck = false) {
  await writeFile(
    join(root, '.untildone/config.jsonc'),
    JSON.stringify({
      agents: { one: { driver: 'scripted', script: {} }, other: { driver: 'scripted', script: {} } },
      reviewers,
    }),
  );
  const env = { HOME: root, PATH: '' };
  const place = { cwd: root, root, prefix: '', repoId: 'r', env, ownEnv: env };
  const head = { commit: 'c0', branch: 'main' };
  return resolveRun({ ...place, head }, { goal: 'do it', flags: { agent: ['one'], ...flags }, sanityCheck });
}

describe('Configured reviewers', () => {
  it('Configured reviewers are separate roles on other agents, and criteria of every task [Q10]', async () => {
    await writeFile(join(root, '.untildone/hard.md'), 'Be hard. {{goal}}');
    const { config, tasks } = await resolved([
      { name: 'security', agent: 'other', model: 'big', prompt: 'hard.md' },
      { name: 'second' },
    ]);
    expect(config.roles['security']).toMatchObject({
      agent: { name: 'other', model: 'big' },
      prompt: 'Be hard. {{goal}}',
      readOnly: true,
      words: { done: '===VERIFIER_COMPLETE===' },
    });
    expect(config.roles['second']?.agent.name).toBe('one');
    expect(config.roles['second']?.prompt).toContain('Somebody else did the work');
    const reviewed = tasks[0]?.criteria.filter(({ check }) => check.kind === 'reviewer').map(({ id }) => id);
    expect(reviewed).toEqual(['verifier', 'security', 'second']);
  });

  it('A configured reviewer runs on the agent that is named for it [Q10]', async () => {
    const entries = [{ name: 'security', agent: 'other', model: 'big' }];
    const byFile = await resolved(entries);
    expect(byFile.config.roles['security']?.agent).toEqual({ name: 'other', model: 'big' });
    const byFlag = await resolved(entries, { agent: ['one', 'security=other:small'] });
    expect(byFlag.config.roles['security']?.agent).toEqual({ name: 'other', model: 'small' });
  });

  it('A configured reviewer cannot take the name of a role or a check, and is left out of the sanity check [X6]', async () => {
    await expect(resolved([{ name: 'verifier' }])).rejects.toMatchObject({ code: 'bad-config' });
    await expect(resolved([{ name: 'twice' }, { name: 'twice' }])).rejects.toMatchObject({
      code: 'bad-config',
    });
    await expect(resolved([{ name: 'sh' }], { check: ['sh'] })).rejects.toMatchObject({ code: 'bad-config' });
    await expect(resolved([{ nmae: 'x' }])).rejects.toMatchObject({ code: 'bad-config' });
    expect((await resolved([{ name: 'security' }], {}, true)).config.roles['security']).toBeUndefined();
  });
});
