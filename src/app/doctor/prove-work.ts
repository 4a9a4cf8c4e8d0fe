// Shows where the work of a run goes, by driving a small run, for `doctor`.
import type { SandboxProof } from './prove-sandbox.ts';
import { builds, type Life, liveThrough, passes } from './small-run.ts';

const promises = {
  main: 'main and your checkout stay as they are',
  commits: 'every change is committed, on a branch of its own',
} as const;

const tried = {
  main: 'a small run whose agent commits to main and leaves its own branch',
  commits: 'a small run whose agent adds, changes and deletes files and commits none of them',
} as const;

/** Never rejects: a run that does not finish proves nothing, and the result says why. */
export async function proveWork(): Promise<SandboxProof[]> {
  let life: Life | null = null;
  try {
    life = await liveThrough({
      files: { 'kept.txt': 'one\n', 'gone.txt': 'one\n' },
      turns: [
        builds(
          { run: 'git update-ref refs/heads/main $(git commit-tree -p HEAD -m mine HEAD^{tree})' },
          { run: 'git checkout -q -b elsewhere' },
          { write: { path: 'new/file.txt', text: 'two\n' } },
          { run: 'echo two > kept.txt; rm gone.txt' },
        ),
        passes,
      ],
      flags: { check: ['grep -q two new/file.txt'] },
    });
    return [proof('main', isMainKept(life), life), proof('commits', isAllCommitted(life), life)];
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return (['main', 'commits'] as const).map((name) => ({
      promise: promises[name],
      isProven: false,
      detail: `could not be tried: ${why}`,
    }));
  } finally {
    life?.remove();
  }
}

function isMainKept(life: Life): boolean {
  const isHere = life.git('symbolic-ref', 'HEAD') === 'refs/heads/main';
  const isClean = life.git('status', '--porcelain') === '';
  return isHere && isClean && life.git('rev-parse', 'main') === life.run.base?.commit;
}

function isAllCommitted(life: Life): boolean {
  const { run } = life;
  const changed = life.git('diff', '--name-status', 'main', run.base?.branch ?? '');
  return run.outcome?.outcome === 'completed' && changed === 'D\tgone.txt\nM\tkept.txt\nA\tnew/file.txt';
}

function proof(name: keyof typeof promises, isProven: boolean, { run }: Life): SandboxProof {
  const end = run.outcome === null ? 'no end' : `${run.outcome.outcome}: ${run.outcome.reason}`;
  return {
    promise: promises[name],
    isProven,
    detail: isProven ? tried[name] : `${tried[name]} came to ${end}`,
  };
}
