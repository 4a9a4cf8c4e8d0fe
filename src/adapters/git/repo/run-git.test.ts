import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { diesWithParent } from '#adapters/processes/parent-death.ts';
import { isMarkedBy, markVariable, readMark, readProcTable } from '#adapters/processes/proc-table.ts';
import { sweepMark } from '#adapters/processes/process-tree.ts';
import { limitMsOf } from './git-limits.ts';
import { createGit, markedEnvironment } from './git.ts';
import { runGit } from './run-git.ts';

const folder = mkdtempSync(join(tmpdir(), 'untildone-run-git-'));
const pipe = join(folder, 'pipe');
execFileSync('mkfifo', [pipe]);
execFileSync('git', ['init', '-q', folder]);
const runId = `run-git-${process.pid}`;
let marks = 0;

function callOf(limitMs: number, mark = `${runId}/${(marks += 1)}`) {
  const env = markedEnvironment({ PATH: process.env['PATH'], HOME: folder }, mark);
  return { mark, call: { cwd: folder, env, input: '', limitMs } };
}

function aliveWith(mark: string): number[] {
  return readProcTable()
    .filter((entry) => isMarkedBy(readMark(entry.pid), mark))
    .map((entry) => entry.pid);
}

async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (let count = 0; !isTrue(); count += 1) {
    if (count > 15_000) throw new Error(`waited in vain until ${what}`);
    await sleep(20);
  }
}

/** Real git; what it starts stays after it and holds its standard output. */
const leavesChild = ['-c', 'alias.leaves=!sleep 300 & echo said', 'leaves'];

afterAll(async () => {
  await sweepMark(runId);
  rmSync(folder, { recursive: true, force: true });
});

describe('our git processes', () => {
  it('A git that waits for a pipe is ended at its limit, and the answer says so', async () => {
    const { mark, call } = callOf(300);
    const { code, stderr } = await runGit(['hash-object', pipe], call);
    expect({ code, stderr }).toEqual({
      code: null,
      stderr: 'fatal: it took longer than 0.3 s and was ended',
    });
    expect(aliveWith(mark)).toEqual([]);
  });

  it('A git call that reaches its limit is ended with everything that it has started', async () => {
    const { mark, call } = callOf(500);
    const answer = await runGit(['-c', 'alias.waits=!sleep 300', 'waits'], call);
    expect(answer.code).toBeNull();
    await until(() => aliveWith(mark).length === 0, 'all of it is gone');
  });

  it('A git call does not wait for a pipe that a child of git keeps open, and that child ends with its run', async () => {
    const { mark, call } = callOf(600_000);
    const { code, stdout } = await runGit(leavesChild, call);
    expect([code, stdout.toString()]).toEqual([0, 'said\n']);
    expect(aliveWith(mark)).toEqual([]);
  });

  it('A process that a git outside of any run left behind may stay', async () => {
    const env = { PATH: process.env['PATH'], HOME: folder, IN_TEST: runId };
    const script = `sleep 300 & echo $!`;
    const answer = await runGit(['-c', `alias.leaves=!${script}`, 'leaves'], {
      cwd: folder,
      env,
      input: '',
      limitMs: 600_000,
    });
    const pid = Number(answer.stdout.toString());
    // A process that was killed may still have its id, but no mark.
    expect(aliveWith('untildone-git')).toContain(pid);
    process.kill(pid, 'SIGKILL');
  });

  it('Every git of a run carries its mark, and a limit of whole seconds', async () => {
    const { mark, call } = callOf(1);
    const git = createGit(folder, call.env);
    const answer = await git.ask(['-c', `alias.mine=!echo $${markVariable}`, 'mine']);
    expect(answer).toEqual({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^${mark}/[0-9a-f]+\n$`)) as unknown,
      stderr: '',
    });
    for (const command of ['add', 'rev-parse', 'read-tree', 'push', 'no-such-command']) {
      expect(limitMsOf([command]) % 1000).toBe(0);
      expect(limitMsOf([command])).toBeLessThanOrEqual(20 * 60_000);
    }
    // A session host gives up its tree after five minutes.
    expect(limitMsOf(['add'])).toBeLessThan(300_000);
    expect(limitMsOf(['--config-env=merge.x.driver=X', 'merge-tree'])).toBe(limitMsOf(['merge-tree']));
    expect(limitMsOf(['-c', 'a.b=c', 'push'])).toBe(limitMsOf(['push']));
  });

  const canDie = diesWithParent('git', [], process.env).file !== 'git';
  it.runIf(canDie)(
    'A git process is killed together with the process that started it, also by kill -9 [X11]',
    async () => {
      const { mark, call } = callOf(600_000);
      const file = join(folder, 'owner.mjs');
      const here = JSON.stringify(fileURLToPath(new URL('./run-git.ts', import.meta.url)));
      writeFileSync(
        file,
        `import { runGit } from ${here};
       await runGit(['hash-object', ${JSON.stringify(pipe)}], ${JSON.stringify(call)});`,
      );
      const owner = spawn(process.execPath, [file], { stdio: 'ignore' });
      const gits = (): number[] =>
        readProcTable()
          .filter((entry) => aliveWith(mark).includes(entry.pid) && commandOf(entry.pid) === 'git')
          .map((entry) => entry.pid);
      await until(() => gits().length > 0, 'git waits');
      owner.kill('SIGKILL');
      await until(() => aliveWith(mark).length === 0, 'git is gone');
      expect(aliveWith(mark)).toEqual([]);
    },
  );
});

function commandOf(pid: number): string {
  try {
    return execFileSync('cat', [`/proc/${pid}/comm`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}
