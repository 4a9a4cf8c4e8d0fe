import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { findAncestors } from './ancestors.ts';
import { hasProcTable, markVariable, readMark, readProcTable } from './proc-table.ts';
import { findMarked } from './process-tree.ts';
import { readByChild, readProcFiles } from './read-proc-files.ts';
import type { ReadFiles } from './read-proc-files.ts';
import { seeMarks } from './see-marks.ts';

const folder = mkdtempSync(join(tmpdir(), 'untildone-proc-'));
const pipe = join(folder, 'pipe');
execFileSync('mkfifo', [pipe]);
const children: ChildProcess[] = [];

async function started(env: { readonly [name: string]: string }): Promise<number> {
  const child = spawn('sleep', ['300'], { env: { PATH: process.env['PATH'], ...env }, stdio: 'ignore' });
  children.push(child);
  const pid = child.pid ?? 0;
  // Until it is through its exec, it shows the environment of the test.
  const isUp = (): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep');
  for (let count = 0; !isUp() && count < 10_000; count += 1) await sleep(5);
  return pid;
}

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe.runIf(hasProcTable())('files of other processes', () => {
  it('A process file that never answers is skipped, and all others are read', async () => {
    const own = `/proc/${process.pid}/environ`;
    const found = await readProcFiles([pipe, own, '/proc/1/no-such-file']);
    expect([...found.keys()].toSorted()).toEqual(['/proc/1/no-such-file', own]);
    expect(found.get(own)).toBe(readFileSync(own, 'latin1'));
    expect(found.get('/proc/1/no-such-file')).toBeNull();
    // It is not asked again at once: no child is started for it.
    const asked: string[][] = [];
    const read: ReadFiles = async (paths) => {
      asked.push([...paths]);
      return paths.map(() => '');
    };
    expect([...(await readProcFiles([pipe, own], read)).keys()]).toEqual([own]);
    expect(asked).toEqual([[own]]);
  });

  it('A process with our separator in its environment can neither lend its mark to another process nor hide it', async () => {
    const separator = readFileSync('/proc/version', 'latin1');
    const liar = await started({ A: `x${separator}`, B: separator, [markVariable]: 'run/1' });
    const honest = await started({ A: 'b' });
    const marked = await started({ [markVariable]: 'run/2' });
    expect(await readByChild([`/proc/${liar}/environ`, `/proc/${honest}/environ`])).toBeNull();
    const marks = await seeMarks([liar, honest, marked].map((pid) => ({ pid, pgid: pid })));
    expect(marks.get(liar)).toEqual({ mark: 'run/1' });
    expect(marks.get(honest)).toEqual({ mark: null });
    expect(marks.get(marked)).toEqual({ mark: 'run/2' });
  });

  it('Marks are read correctly, also of a process without any environment', async () => {
    const marked = await started({ [markVariable]: 'run/3/x' });
    const bare = spawn('env', ['-i', 'sleep', '300'], { stdio: 'ignore' });
    children.push(bare);
    const pid = bare.pid ?? 0;
    for (let count = 0; readFileSync(`/proc/${pid}/environ`, 'latin1') !== '' && count < 10_000; count += 1)
      await sleep(5);
    const marks = await seeMarks([
      { pid: marked, pgid: marked },
      { pid, pgid: pid },
      { pid: 2, pgid: 0 },
    ]);
    expect(marks).toEqual(
      new Map([
        [marked, { mark: readMark(marked) }],
        [pid, { mark: null }],
      ]),
    );
  });

  it('A process that starts while marks are read is found, even if its parent ended before its mark was read [X11]', async () => {
    const late: number[] = [];
    const table = readProcTable();
    const { found } = await findMarked({ table, entries: table.slice(0, 1) }, 'run/4', async (entries) => {
      if (late.length === 0) late.push(await started({ [markVariable]: 'run/4/x' }));
      return seeMarks(entries);
    });
    expect(found.map(({ pid }) => pid)).toEqual(late);
  });

  it('A machine that keeps starting processes makes a search unsure, not endless', async () => {
    let rounds = 0;
    const table = readProcTable();
    const search = findMarked({ table, entries: table.slice(0, 1) }, 'run/5', async () => {
      rounds += 1;
      await started({ A: 'b' });
      return new Map();
    });
    expect(await search).toEqual({ found: [], isUnsure: true });
    expect(rounds).toBe(4);
  });

  it('A process that hides its environment proves nothing: its mark is unsure, and it counts as hidden', async () => {
    const pid = await started({ A: 'b' });
    const silent: ReadFiles = async (paths) =>
      paths.some((path) => path === `/proc/${pid}/environ`) ? null : readByChild(paths);
    const marks = await seeMarks([{ pid, pgid: pid }], silent);
    expect(marks.get(pid)).toBe('unsure');
    const [self, parent] = await findAncestors(pid, silent);
    expect(self).toMatchObject({ pid, isHidden: true });
    expect(parent).toMatchObject({ pid: process.pid });
    expect(parent?.isHidden).toBeUndefined();
  });
});
