// Settings of criteria and loops in a configuration file, resolved into a run.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultLoops } from '#policies/loops/loop-settings.ts';
import { loopNames } from './loops.ts';
import type { ResolvedRun } from './resolve-run.ts';
import { resolveRun } from './resolve-run.ts';
import type { LoopSettings } from '#kernel/model/config.ts';

let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'untildone-settings-'));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function resolve(config: object, preset: string, goal = 'x'): Promise<ResolvedRun> {
  await mkdir(join(root, '.untildone'), { recursive: true });
  await writeFile(join(root, '.untildone/config.jsonc'), JSON.stringify(config));
  const env = { HOME: root, PATH: '' };
  const head = { commit: 'c0', branch: 'main' };
  const place = { cwd: root, root, prefix: '', repoId: 'r1', env, ownEnv: env, head };
  const flags = { agent: ['command:./my-cli'], check: ['npm test'], preset };
  return resolveRun(place, { goal, flags, sanityCheck: false });
}

/** None of them as it is by itself. */
const others = Object.fromEntries(
  loopNames.map((name) => {
    const value = defaultLoops[name];
    return [name, typeof value === 'number' ? value + 2 : !value];
  }),
) as unknown as LoopSettings;

describe('The settings loops.* of a configuration file', () => {
  it('Every loops.* setting reaches the run [K2]', async () => {
    const { config } = await resolve({ loops: others }, 'criteria');
    expect(config.policy.loops).toEqual(others);
  });

  it.each(loopNames)('The setting %s alone changes no other setting [K2]', async (name) => {
    const { config } = await resolve({ loops: { [name]: others[name] } }, 'criteria');
    expect(config.policy.loops).toEqual({ ...defaultLoops, [name]: others[name] });
  });

  it('A preset that ignores the loops.* settings says so [K2]', async () => {
    const { config, notes } = await resolve({ loops: { commitEvery: 9 } }, 'builder-verifier');
    expect(config.policy.loops).toBeUndefined();
    expect(notes.join('\n')).toMatch(
      /config\.jsonc.*: loops\.\* is for the preset criteria; builder-verifier ignores it\./,
    );
    expect((await resolve({}, 'builder-verifier')).notes.join('\n')).not.toContain('loops');
    expect((await resolve({ loops: others }, 'criteria')).notes.join('\n')).not.toContain('does not look');
  });
});

describe('Criteria outside a task file', () => {
  const config = {
    criteria: ['it is fast', { id: 'docs', text: 'it is documented', check: 'test -f README.md' }],
  };

  it('Criteria from the goal and from the configuration reach the tasks of the run [K1]', async () => {
    const goal = 'Make it.\n\n## Acceptance Criteria\n\n- [ ] it starts (check: ./start)\n- [ ] it stops\n';
    const { tasks } = await resolve(config, 'criteria', goal);
    const seen = tasks.flatMap(({ criteria }) => criteria).filter(({ origin }) => origin !== undefined);
    expect(seen.map(({ text, check }) => [text, check.kind === 'command' ? check.run : check.kind])).toEqual([
      ['it starts', './start'],
      ['it stops', 'human'],
      ['it is fast', 'human'],
      ['it is documented', 'test -f README.md'],
    ]);
    expect(seen.map(({ origin }) => origin?.from)).toEqual([
      expect.stringContaining('the goal'),
      expect.stringContaining('the goal'),
      expect.stringContaining('config.jsonc'),
      expect.stringContaining('config.jsonc'),
    ]);
    expect(seen.at(-1)?.id).toBe('docs');
  });

  it('Criteria of the configuration apply to every preset [K1]', async () => {
    const { tasks } = await resolve(config, 'builder-verifier');
    const texts = tasks.map(({ criteria }) => criteria.map(({ text }) => text));
    expect(texts).toEqual([expect.arrayContaining(['it is fast', 'it is documented'])]);
  });
});
