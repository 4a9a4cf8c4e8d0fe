// Commands of reviewers' blockers, run by us in a real checkout with real processes: they may hang, flood, edit
// and lie.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createChecker } from '#adapters/checkers/create-checker.ts';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { makeSample, openSample } from '#test/git/sample-repository.ts';
import type { Sample } from '#test/git/sample-repository.ts';
import { createRedactor } from '#config/redact.ts';
import { replay } from '#kernel/fold/apply.ts';
import type { Fact } from '#kernel/events/events.ts';
import { perform } from '#runtime/steps/perform.ts';
import { simulatedTask } from '#test/simulated/simulated-run.ts';
import { simulatedWorld } from '#test/simulated/simulated-world.ts';
import type { Trial } from '#kernel/model/review.ts';

let sample: Sample;
beforeEach(() => {
  sample = makeSample();
  sample.write('a.txt', 'one\n');
  sample.commit('start');
});
afterEach(() => {
  vi.useRealTimers();
  sample.remove();
});

async function tryAll(commands: readonly string[], timeoutMs = 600_000): Promise<Trial[]> {
  const { workspace } = await openSample(sample);
  const { baseTree } = await workspace.prepare([]);
  const kind = simulatedWorld({ tasks: [simulatedTask('main')] });
  const checker = createChecker({
    since: 0,
    browser: { entry: '', chromePath: null, nodePath: '' },
    redactor: createRedactor({}),
    processes: createProcesses({ confine: 'marker' }),
    logsDir: join(sample.home, 'logs'),
    env: { PATH: process.env['PATH'] ?? '', HOME: sample.home },
  });
  const facts: Fact[] = [];
  const { ended } = perform(
    {
      stepId: '0009-reproduce-main',
      taskId: 'main',
      baseTree,
      reserve: { sessions: 0, usd: 0, tokens: 0 },
      deed: {
        kind: 'reproduce',
        review: '0008-verifier-main',
        commands: commands.map((run, index) => ({ index, run })),
        timeoutMs,
      },
    },
    replay(kind.journal.events),
    { ...kind, workspace, checker },
    (more) => facts.push(...more),
  );
  expect(await ended).toMatchObject([{ type: 'step-ended', result: { kind: 'reproduce' } }]);
  return facts.flatMap((fact) => (fact.type === 'blocker-tried' ? [fact.trial] : []));
}

/** A process that is not yet reaped is dead too. */
function isAlive(pid: string): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('The command of a blocker', () => {
  it('A blocker is reproduced if its command fails or crashes, and not by exit 0 [Q10]', async () => {
    const trials = await tryAll(['grep -q two a.txt', 'kill -SEGV $$', 'grep -q one a.txt']);
    expect(trials.map(({ outcome }) => outcome)).toEqual(['reproduced', 'reproduced', 'not reproduced']);
  });

  it('A command of a blocker that is missing or never ends reproduces nothing, and no process of it survives [Q10] [X11]', async () => {
    const pidFile = join(sample.home, 'pid');
    const hanging = `(trap '' TERM; sleep 300) & echo $! > ${pidFile}; wait`;
    // The clock advances by itself, and jumps once the program hangs.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const trying = tryAll(['no-such-program --x', hanging]);
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toMatch(/\d\n/);
    vi.advanceTimersByTime(600_000);
    const trials = await trying;
    expect(trials.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);
    expect(trials[1]?.reason).toMatch(/timed out/);
    expect(isAlive(readFileSync(pidFile, 'utf8').trim())).toBe(false);
  });

  it('A command of a blocker that edits the checked files reproduces nothing, and the next one sees the original files [Q10]', async () => {
    const trials = await tryAll([
      'echo two > a.txt; exit 1',
      'grep -q two a.txt',
      'rm -rf ./* .git; exit 1',
      'cat a.txt',
    ]);
    expect(trials.map(({ outcome }) => outcome)).toEqual([
      'unknown',
      'reproduced',
      'unknown',
      'not reproduced',
    ]);
  });

  it('The command of a blocker may leave files of its own beside the others [Q10]', async () => {
    expect(await tryAll(['echo cached > cache.tmp; exit 3'])).toMatchObject([
      { outcome: 'reproduced', reason: 'exit 3' },
    ]);
  });

  it('The command of a blocker carries the run marker of its step, so that the next driver finds it [X11]', async () => {
    const trials = await tryAll([
      'case "$UNTILDONE_MARK" in run/0009-reproduce-main/*) exit 0;; *) exit 1;; esac',
    ]);
    expect(trials).toMatchObject([{ outcome: 'not reproduced' }]);
  });

  it('The command of a blocker may print without end, and only a bounded part of its output is kept [Q10]', async () => {
    const [trial] = await tryAll(['yes "a line of noise" | head -c 20000000; exit 1']);
    expect(trial?.outcome).toBe('reproduced');
    expect(trial?.tail.length).toBeLessThan(100_000);
  });
});
