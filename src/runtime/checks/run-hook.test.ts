import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChecker } from '#adapters/checkers/create-checker.ts';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { readProcEntry } from '#adapters/processes/proc-table.ts';
import type { Sample } from '#test/git/sample-repository.ts';
import { makeSample, openSample } from '#test/git/sample-repository.ts';
import { createRedactor } from '#config/redact.ts';
import type { Criterion, Evidence } from '#kernel/model/criterion.ts';
import type { CheckDeps } from '#ports/world.ts';
import { playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import { runHook } from './run-hook.ts';

let sample: Sample;
/** The hook as recorded at the start of the run. */
let said: string;

beforeEach(() => {
  sample = makeSample();
  sample.write('a.txt', 'a\n');
  sample.commit('start');
});
afterEach(() => sample.remove());

function hookAt(path: string, text: string, mode = 0o755): void {
  mkdirSync(join(sample.root, path, '..'), { recursive: true });
  writeFileSync(join(sample.root, path), `#!/bin/sh\n${text}\n`, { mode });
}

/** The hook on a change of one file, in a real checkout. */
async function ask(runId = 'run1', timeoutMs = 600_000): Promise<Evidence | undefined> {
  const shape = { text: 'the hook passes', kind: 'exit', required: true, when: 'attempt' } as const;
  const criterion: Criterion = { id: 'pre-commit', ...shape, check: { kind: 'hook', timeoutMs } };
  const { workspace, notes } = await openSample(sample, { runId });
  await workspace.prepare([criterion]);
  said = notes.join('\n');
  writeFileSync(join(workspace.root, 'b.txt'), 'b\n');
  const tree = await workspace.snapshot();
  const checker = createChecker({
    since: 0,
    browser: { entry: '', chromePath: null, nodePath: '' },
    redactor: createRedactor({}),
    processes: createProcesses({ confine: 'marker' }),
    logsDir: join(sample.home, 'logs'),
    env: sample.env,
  });
  const { run } = playRun({ tasks: [simulatedTask('main', { criteria: [criterion] })] });
  const seen: Evidence[] = [];
  await runHook({
    run,
    step: {
      stepId: '0001-check',
      taskId: 'main',
      baseTree: tree,
      reserve: { sessions: 0, usd: 0, tokens: 0 },
      deed: {
        kind: 'check',
        purpose: 'attempt',
        place: 'clean',
        when: 'attempt',
        criteria: [{ taskId: 'main', criterionId: criterion.id }],
      },
    },
    world: { workspace, checker } as unknown as CheckDeps,
    emit: (facts) => {
      for (const fact of facts) if (fact.type === 'evidence-recorded') seen.push(fact.evidence);
    },
    signal: new AbortController().signal,
  });
  return seen[0];
}

describe('The pre-commit hook of the settings', () => {
  it('A missing or unexecutable hook does not pass, and the run says so at its start [X8]', async () => {
    const none = await ask();
    expect(none).toMatchObject({ verdict: 'unknown' });
    expect(none?.reason).toContain('a fresh checkout has none that is executable');
    expect(said).toContain(`${join(sample.root, '.git/hooks/pre-commit')} is missing or not executable`);
    hookAt('.git/hooks/pre-commit', 'exit 0', 0o644);
    expect(await ask()).toMatchObject({ verdict: 'unknown' });
    expect(said).toContain('preCommitHook');
    sample.git('config', 'core.hooksPath', 'not-committed');
    hookAt('not-committed/pre-commit', 'exit 0');
    expect(await ask()).toMatchObject({ verdict: 'unknown' });
  });

  it('The hook is found by a relative core.hooksPath, and its result counts [X8]', async () => {
    hookAt('.githooks/pre-commit', 'git diff --cached --name-only; exit $(cat verdict)');
    sample.write('verdict', '3');
    sample.commit('a hook');
    sample.git('config', 'core.hooksPath', '.githooks');
    expect(await ask()).toMatchObject({ verdict: 'fail', tail: 'b.txt\n' });
    sample.write('verdict', '0');
    sample.git('commit', '-qam', 'it passes', '--no-verify');
    expect(said).toBe('');
    expect(await ask('run2')).toMatchObject({ verdict: 'pass', tail: 'b.txt\n' });
  });

  it('A hook that hangs fails, and none of its processes survives [X8]', async () => {
    const pidFile = join(sample.home, 'pid');
    hookAt(
      '.git/hooks/pre-commit',
      `sleep 600 & echo $! > '${pidFile}.new'; mv '${pidFile}.new' '${pidFile}'; wait`,
    );
    expect(await ask('run1', 4000)).toMatchObject({ verdict: 'fail', ending: { kind: 'timed-out' } });
    const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : null;
    expect(pid === null ? null : readProcEntry(pid)).toBeNull();
  });
});
