// A sample repository with its pins, and what breaks when files are written into it. For the tests of this folder.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Criterion, Pin } from '#kernel/model/criterion.ts';
import type { Workspace } from '#ports/workspace.ts';
import { makeSample, openSample, type Sample } from './sample-repository.ts';

export interface PinnedSample {
  readonly sample: Sample;
  readonly workspace: Workspace;
  readonly pins: readonly Pin[];
  /** The tree that all begins with. */
  readonly start: string;
  /** What breaks when these files are written; null deletes one. The files are as before afterwards. */
  brokenBy(files: { readonly [path: string]: string | null }): Promise<string[]>;
}

export async function openPinnedSample(
  base: { readonly [path: string]: string },
  commands: readonly string[] = [],
): Promise<PinnedSample> {
  const sample = makeSample();
  for (const [path, text] of Object.entries(base)) sample.write(path, text);
  sample.commit('start');
  const { workspace } = await openSample(sample);
  const { pins } = await workspace.prepare(commands.map(toCriterion));
  const start = await workspace.snapshot();
  return {
    sample,
    workspace,
    pins,
    start,
    async brokenBy(files) {
      for (const [path, text] of Object.entries(files)) {
        const file = join(workspace.root, path);
        mkdirSync(dirname(file), { recursive: true });
        if (text === null) rmSync(file);
        else writeFileSync(file, text);
      }
      const tree = await workspace.snapshot();
      await workspace.restore(start, 'again');
      return (await workspace.brokenPins(pins, tree, [])).map(({ path, change }) => `${path} ${change}`);
    },
  };
}

function toCriterion(run: string): Criterion {
  const check = { kind: 'command', run, cwd: '', timeoutMs: 1000 } as const;
  return { id: run, text: run, kind: 'exit', required: true, when: 'attempt', check };
}
