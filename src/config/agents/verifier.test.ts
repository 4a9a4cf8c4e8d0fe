// Which agent may be the verifier, and the text about a run without one.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunFlags } from '#config/setting-table.ts';
import type { ResolvedRun, RunRequest } from '#config/resolve/resolve-run.ts';
import { resolveRun } from '#config/resolve/resolve-run.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'untildone-verifier-'));
  await mkdir(join(root, '.untildone'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const plain = 'command:./my-cli';
const scripted = { driver: 'scripted', script: {} };
const command = { driver: 'command', command: './mine' };

async function resolved(
  flags: RunFlags,
  config: object = {},
  request: Partial<RunRequest> = {},
): Promise<ResolvedRun> {
  await writeFile(join(root, 'my-cli'), '', { mode: 0o755 });
  await writeFile(join(root, 'mine'), '', { mode: 0o755 });
  await writeFile(join(root, '.untildone/config.jsonc'), JSON.stringify(config));
  const env = { HOME: root, PATH: '' };
  const place = { cwd: root, root, prefix: '', repoId: 'r', env, ownEnv: env };
  const head = { commit: 'c0', branch: 'main' };
  return resolveRun({ ...place, head }, { goal: 'do it', flags, sanityCheck: false, ...request });
}

/** T1 names its verifier, the others do not. */
async function writeTasks(verifier: string, others: readonly string[]): Promise<void> {
  const criteria = [{ text: 'it works', check: 'true' }];
  const tasks = [
    { id: 'T1', title: 'T1', criteria, agents: { verifier } },
    ...others.map((id) => ({ id, title: id, criteria })),
  ];
  await writeFile(join(root, 'tasks.json'), JSON.stringify(tasks));
}

function reviewersOf({ tasks }: ResolvedRun): string[][] {
  return tasks.map(({ criteria }) =>
    criteria.flatMap(({ check }) => (check.kind === 'reviewer' ? [check.role] : [])),
  );
}

describe('a plain command', () => {
  it('A plain command for every role is only the builder, and the first lines say so', async () => {
    const run = await resolved({ agent: [plain], check: ['npm test'] });
    expect(Object.keys(run.config.roles)).toEqual(['builder']);
    expect(reviewersOf(run)).toEqual([[]]);
    expect(run.tasks[0]?.criteria.map(({ id }) => id)).toEqual(['npm-test']);
    expect(run.notes).toContain(
      `There is no verifier: ${plain} is a plain command and is not declared to print verdicts. To let it review: --agent "verifier=${plain}".`,
    );
    expect(run.isReviewOpen).toBe(false);
  });

  it('A command that is named for the role by a flag or a file is the verifier', async () => {
    for (const run of [
      await resolved({ agent: [plain, `verifier=${plain}`] }),
      await resolved({ agent: [plain, `main/verifier=${plain}`] }),
      await resolved({}, { agents: { mine: command }, roles: { verifier: { agent: 'mine' } } }),
      await resolved(
        { agent: [plain] },
        { agents: { mine: command }, tasks: { main: { agents: { verifier: 'mine' } } } },
      ),
    ]) {
      expect(reviewersOf(run)).toEqual([['verifier']]);
      expect(run.notes.join()).not.toContain('no verifier');
      expect(run.isReviewOpen).toBe(true);
    }
  });

  it('A configured command reviews only if its entry says that it gives verdicts; its adapter never sees that entry', async () => {
    for (const flags of [{}, { agent: ['mine'] }]) {
      const silent = await resolved(flags, { agents: { mine: command } });
      expect(reviewersOf(silent)).toEqual([[]]);
      expect(silent.notes.join()).toContain('There is no verifier: mine is a plain command');
      const able = await resolved(flags, { agents: { mine: { ...command, verdicts: true } } });
      expect(reviewersOf(able)).toEqual([['verifier']]);
      expect(able.config.agents['mine']?.options).toEqual({ command: './mine' });
    }
    for (const verdicts of [false, 'yes'])
      await expect(resolved({}, { agents: { mine: { ...command, verdicts } } })).rejects.toMatchObject({
        code: 'bad-config',
      });
  });

  it('A command that speaks for a known client reviews', async () => {
    const client = await resolved({}, { agents: { mine: { ...command, output: 'gemini' } } });
    expect(reviewersOf(client)).toEqual([['verifier']]);
  });

  it('A plain command for every role keeps the verifier of the configuration, and adds no agent that was not named', async () => {
    const agents = { one: scripted };
    const named = await resolved({ agent: [plain] }, { agents, roles: { verifier: { agent: 'one' } } });
    expect(named.config.roles['verifier']?.agent.name).toBe('one');
    expect(named.config.roles['builder']?.agent.name).toBe(plain);
    const other = await resolved({ agent: [plain] }, { agents });
    expect(Object.keys(other.config.roles)).toEqual(['builder']);
    expect(Object.keys(other.config.agents)).toEqual([plain]);
  });

  it('A plain command as a configured reviewer is refused with the next action', async () => {
    for (const preset of ['builder-verifier', 'campaign', 'criteria'])
      await expect(
        resolved({ preset, agent: [plain] }, { reviewers: [{ name: 'security' }] }),
      ).rejects.toMatchObject({
        code: 'no-reviewer',
        message: `No agent is named for the reviewer security, and ${plain} is a plain command that may print no verdict.`,
        hint: expect.stringContaining(`--agent "security=${plain}"`) as unknown,
      });
    const named = await resolved(
      { agent: [plain, `security=${plain}`] },
      { reviewers: [{ name: 'security' }] },
    );
    expect(reviewersOf(named)).toEqual([['security']]);
    expect(named.notes.join()).toMatch(/There is no verifier: .* The other reviewers stay\./);
    const own = await resolved({ agent: [plain] }, { reviewers: [{ name: 'security', agent: plain }] });
    expect(reviewersOf(own)).toEqual([['security']]);
  });

  it('A task whose file names a verifier has one, and the run names the tasks without one', async () => {
    await writeTasks('command:./mine', ['T2', 'T3']);
    const run = await resolved(
      { preset: 'queue', taskFile: 'tasks.json', agent: [plain] },
      {},
      { goal: undefined },
    );
    expect(reviewersOf(run)).toEqual([['verifier'], [], []]);
    expect(run.config.roles['verifier']?.agent.name).toBe('command:./mine');
    expect(run.notes.join()).toContain('For tasks T2, T3 there is no verifier');
  });

  it('A command line that cannot be pasted between quotes is not offered for pasting', async () => {
    const odd = await resolved({ agent: [`${plain} "$HOME"`] });
    expect(odd.notes.join()).toContain('To let it review: --agent "verifier=command:…".');
    const long = await resolved({ agent: [`${plain} ${'x'.repeat(200)}`] });
    expect(long.notes.join()).toContain('To let it review: --agent "verifier=command:…".');
    expect(Math.max(...long.notes.map((note) => note.length))).toBeLessThan(350);
  });

  it('A sanity check tries a plain command as a verifier, whatever the configuration says', async () => {
    const run = await resolved({ agent: [plain] }, { verifier: false }, { sanityCheck: true });
    expect(reviewersOf(run)).toEqual([['verifier']]);
    expect(run.config.roles['verifier']?.agent.name).toBe(plain);
    expect(run.notes.join()).not.toContain('no verifier');
  });
});

describe('A run without a verifier on purpose', () => {
  const agents = { one: scripted, other: scripted };

  it('The flag --verifier none removes the verifier and every reviewer, whatever the files say about them', async () => {
    const run = await resolved(
      { agent: ['one'], verifier: 'none', check: ['npm test'] },
      {
        agents,
        reviewers: [{ name: 'security', agent: 'other' }],
        roles: { verifier: { agent: 'other' } },
        tasks: { main: { agents: { verifier: 'other', security: 'other' } } },
      },
    );
    expect(Object.keys(run.config.roles)).toEqual(['builder']);
    expect(Object.keys(run.config.agents)).toEqual(['one']);
    expect(reviewersOf(run)).toEqual([[]]);
    expect(run.notes).toContain('There is no verifier (--verifier none).');
    expect(run.isReviewOpen).toBe(false);
  });

  it('The flag --verifier none applies to a queue whose tasks name a verifier, and to a campaign', async () => {
    await writeTasks('other', ['T2']);
    const flags = { agent: ['one'], verifier: 'none' };
    const queue = { ...flags, preset: 'queue', taskFile: 'tasks.json', budget: ['sessions=2'] };
    const run = await resolved(queue, { agents }, { goal: undefined });
    expect(reviewersOf(run)).toEqual([[], []]);
    expect(run.notes.join()).not.toContain('sessions at least');
    const campaign = await resolved(
      { ...flags, preset: 'campaign' },
      { agents, reviewers: [{ name: 'second' }] },
    );
    expect(campaign.config.policy.planning?.everyTask).toEqual([]);
    expect(Object.keys(campaign.config.roles)).toEqual(['architect', 'builder', 'reflector']);
    for (const role of ['verifier', 'reviewer'])
      await expect(
        resolved({ preset: 'campaign', agent: ['one', `${role}=command:./mine`] }, { agents }),
      ).rejects.toMatchObject({
        message: `--agent ${role}=command:./mine: there is no role "${role}".`,
        hint: 'The roles are architect, builder, reflector. To add a reviewer: "reviewers": [{"name":"second","agent":"command:./mine"}] in .untildone/config.jsonc.',
      });
  });

  it('The setting "verifier": false keeps the configured reviewers, and a flag that names a verifier overrides it', async () => {
    const reviewers = [{ name: 'security', agent: 'other' }];
    const config = { agents, verifier: false, reviewers };
    expect(reviewersOf(await resolved({ agent: ['one'] }, config))).toEqual([['security']]);
    const none = await resolved({ agent: ['one'] }, { ...config, reviewers: [] });
    expect(reviewersOf(none)).toEqual([[]]);
    expect(none.notes.join()).toMatch(/There is no verifier \(.*config\.jsonc:\d+:\d+\)\.$/);
    const named = await resolved({ agent: ['one', 'verifier=other'] }, { ...config, reviewers: [] });
    expect(reviewersOf(named)).toEqual([['verifier']]);
  });

  it('Flags that contradict --verifier none, and another word after it, are refused', async () => {
    const refused = (flags: RunFlags, said: RegExp): Promise<void> =>
      expect(resolved({ agent: ['one'], ...flags }, { agents })).rejects.toMatchObject({
        code: 'bad-flag',
        message: expect.stringMatching(said) as unknown,
      });
    await refused(
      { verifier: 'none', agent: ['one', 'verifier=other'] },
      /removes the verifier, but --agent/,
    );
    await refused({ verifier: 'none', agent: ['one', 'main/verifier=other'] }, /removes the verifier, but/);
    await refused(
      { verifier: 'none', acceptReview: true },
      /needs a reviewer, but --verifier none removes it/,
    );
    await refused({ verifier: 'claude' }, /--verifier is "claude"; the only value is none/);
  });

  it('A builder alone on the command line leaves the verifier open, and the question names both answers', async () => {
    await expect(resolved({ agent: [`builder=${plain}`] })).rejects.toMatchObject({
      code: 'no-agent',
      message: 'No agent is named for the verifier.',
      hint: 'Name one: --agent verifier=NAME, or run without reviewers: --verifier none.',
    });
    const run = await resolved({ agent: [`builder=${plain}`], verifier: 'none' });
    expect(Object.keys(run.config.roles)).toEqual(['builder']);
  });
});
