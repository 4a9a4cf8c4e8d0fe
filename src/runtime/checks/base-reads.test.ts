import { expect, it } from 'vitest';
import { builderVerifier } from '#policies/presets/builder-verifier.ts';
import type { ReadsLogs } from '#ports/checker.ts';
import { drive } from '#runtime/drive.ts';
import { commandCriterion, reviewerCriterion, simulatedTask } from '#test/simulated/simulated-run.ts';
import { simulatedWorld } from '#test/simulated/simulated-world.ts';

interface Lived {
  readonly prompts: readonly string[];
  readonly names: readonly string[];
}

/** A run whose check reads `src` and `other` on the base; the work changes `src`. */
async function live(alone: boolean): Promise<Lived> {
  const prompts: string[] = [];
  const kept = new Map<string, readonly string[]>();
  const reads: ReadsLogs = {
    keep: async (name, paths) => kept.set(name, paths).size > 0,
    list: async (name) => kept.get(name) ?? null,
  };
  const criteria = [{ ...commandCriterion('works'), alone }, reviewerCriterion];
  const world = simulatedWorld({
    tasks: [simulatedTask('main', { criteria })],
    config: { calibration: 'auto' },
    check: (_, tree) => (tree === 'base' ? 'fail' : 'pass'),
    session: ({ deed }) => {
      if (deed.readOnly) prompts.push(deed.prompt);
      return deed.readOnly ? {} : { endTree: 'work' };
    },
    workspace: {
      diff: async () => ({ stat: ' src | 2 ++', patch: '+1' }),
      cleanCheckout: async (tree) => ({
        root: `clean ${tree}`,
        cwd: `clean ${tree}`,
        snapshot: async () => tree,
        watchReads: async () => ({ stop: async () => ['other', 'src'] }),
        dispose: async () => {},
      }),
    },
  });
  const options = { leaveWhenParked: () => true, signal: new AbortController().signal };
  await drive('run', { ...world, checker: { ...world.checker, reads } }, builderVerifier.policy, options);
  return { prompts, names: [...kept.keys()] };
}

it('A reviewer reads which of the changed files the checks read on the base, and no others [X8]', async () => {
  const { prompts, names } = await live(true);
  expect(names).toEqual([expect.stringMatching(/_works\.reads$/)]);
  expect(prompts).toEqual([
    expect.stringContaining('The checks read these files, which the work changed:\n\n```\nsrc\n```'),
  ]);
});

it('The reads of a check are not recorded where other checks may run beside it [X8]', async () => {
  const { prompts, names } = await live(false);
  expect(names).toEqual([]);
  expect(prompts).toEqual([expect.not.stringContaining('The checks read these files')]);
});
