import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OperatorError } from '#base/operator-error.ts';
import type { Bed, Child } from '#test/store/store-bed.ts';
import { createBed, startChild, succeeds } from '#test/store/store-bed.ts';

let bed: Bed;
let children: Child[] = [];
beforeEach(async () => {
  bed = createBed();
  await bed.run(1);
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  bed.dispose();
});

const holdIt = `
  const journal = await bed.store.open('r');
  say('heldBy' in journal ? 'refused ' + journal.heldBy.pid : 'holds ' + process.pid);
  if ('heldBy' in journal) process.exit(0);
  process.stdin.resume();`;

function contender(wrap: readonly string[] = []): Child {
  const child = startChild(bed.folder, holdIt, wrap);
  children.push(child);
  return child;
}

it('A refused driver makes no folder of the run, because the holder may be removing them [Q4]', async () => {
  const journal = await bed.open();
  const { receipts } = bed.paths.run('r');
  rmSync(receipts, { recursive: true });
  expect(await bed.store.open('r')).toHaveProperty('heldBy');
  expect(existsSync(receipts)).toBe(false);
  await journal.close();
});

it('A second driver is refused with the name of the holder, in this process and in another [Q4]', async () => {
  const journal = await bed.open();
  const again = await bed.store.open('r');
  expect(again).toEqual({
    heldBy: { pid: process.pid, host: hostname(), since: expect.any(Number) as number },
  });
  expect(await contender().line()).toBe(`refused ${process.pid}`);
  expect(await bed.store.holder('r')).toMatchObject({ pid: process.pid });
  await journal.close();
  expect(await bed.store.holder('r')).toBeNull();
  const next = await bed.open();
  await next.close();
});

it('A lock is refused while its holder is stopped, and granted right after SIGKILL [Q4]', async () => {
  const holder = contender();
  expect(await holder.line()).toBe(`holds ${holder.process.pid}`);
  holder.kill('SIGSTOP');
  expect(await bed.store.open('r')).toMatchObject({ heldBy: { pid: holder.process.pid } });
  expect(await bed.store.holder('r')).toMatchObject({ pid: holder.process.pid });
  holder.kill('SIGKILL');
  await holder.rest();
  expect(await bed.store.holder('r')).toBeNull();
  const journal = await bed.open();
  await journal.close();
});

it('Exactly one of several drivers that ask at the same moment gets the lock [Q4]', async () => {
  const all = Array.from({ length: 4 }, () => contender());
  const said = await Promise.all(all.map((child) => child.line()));
  const winner = said.find((line) => line?.startsWith('holds'))?.slice('holds '.length);
  expect(said.filter((line) => line === `holds ${winner}`)).toHaveLength(1);
  expect(said.filter((line) => line === `refused ${winner}`)).toHaveLength(3);
});

const namespaced = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];
const canUnshare = succeeds('unshare', ...namespaced.slice(1), 'true');
const where = canUnshare
  ? 'across pid namespaces'
  : 'WITHOUT PID NAMESPACES, which this machine does not permit';
it(`The lock holds ${where}, where a pid means another process [Q4]`, async () => {
  const wrap = canUnshare ? namespaced : [];
  const inside = contender(wrap);
  const pid = (await inside.line())?.slice('holds '.length) ?? '';
  expect(Number(pid) < 10).toBe(canUnshare);
  expect(await bed.store.open('r')).toMatchObject({ heldBy: { pid: Number(pid) } });
  expect(await contender(wrap).line()).toBe(`refused ${pid}`);
  inside.kill('SIGKILL');
  await inside.rest();
  const journal = await bed.open();
  expect(await contender(wrap).line()).toBe(`refused ${process.pid}`);
  await journal.close();
});

it('A name left by a dead driver blocks no driver: the lock decides, not the name [Q4]', async () => {
  const dead = spawnSync(process.execPath, ['-e', 'process.stdout.write(String(process.pid))']);
  const { holder } = bed.paths.run('r');
  for (const left of [
    `{"pid":${dead.stdout.toString()},"host":"${hostname()}","since":1}`,
    'garbage',
    '{"pid":',
  ]) {
    writeFileSync(holder, left);
    const journal = await bed.open();
    await journal.close();
  }
  writeFileSync(holder, `{"pid":1,"host":"elsewhere","since":7}`);
  expect(await bed.store.holder('r')).toBeNull();
  const held = contender();
  await held.line();
  writeFileSync(holder, `{"pid":1,"host":"elsewhere","since":7}`);
  expect(await bed.store.holder('r')).toEqual({ pid: 1, host: 'elsewhere', since: 7 });
});

const hasProc = existsSync('/proc/self/stat');
it(`A driver that is dead and not yet reaped counts as gone${hasProc ? '' : ': NOT SHOWN WITHOUT /proc'} [Q4]`, async () => {
  const script = `${holdIt.replace('process.stdin.resume()', 'setTimeout(() => undefined, 60_000)')}`;
  // The shell becomes a program that never asks how its child ended.
  const parent = startChild(bed.folder, script, ['sh', '-c', '"$@" & exec sleep 60', 'sh']);
  children.push(parent);
  const pid = Number((await parent.line())?.slice('holds '.length));
  expect(await bed.store.holder('r')).toMatchObject({ pid });
  process.kill(pid, 'SIGKILL');
  await isDead(pid);
  const journal = await bed.open();
  await journal.close();
  writeFileSync(bed.paths.run('r').holder, JSON.stringify(zombieOf(pid)));
  expect(await bed.store.holder('r')).toBeNull();
});

async function isDead(pid: number): Promise<void> {
  while (hasProc && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) await setImmediate();
}

/** What that process would have written about itself. */
function zombieOf(pid: number): object {
  const stat = hasProc ? readFileSync(`/proc/${pid}/stat`, 'latin1') : '';
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0';
  const namespace = hasProc ? readlinkSync('/proc/self/ns/pid') : null;
  return { pid, host: hostname(), since: 1, boot: null, namespace, started };
}

it('A run that cannot be locked is refused with a clear reason, and nothing is held afterwards [X6]', async () => {
  const { lock } = bed.paths.run('r');
  rmSync(lock);
  mkdirSync(lock);
  await expect(bed.store.open('r')).rejects.toMatchObject({ name: 'OperatorError', code: 'cannot-lock' });
  rmSync(lock, { recursive: true });
  const journal = await bed.open();
  await journal.close();
});

it('A lock file that is not a lock is reported as damaged with the command that helps, and is not overwritten [X6]', async () => {
  const { lock } = bed.paths.run('r');
  for (const text of ['not a lock'.repeat(10), 'SQLite format 3\0', '\0'.repeat(100)]) {
    writeFileSync(lock, text);
    const failure = (await bed.store.open('r').catch((error: unknown) => error)) as OperatorError;
    expect(failure.code).toBe('lock-damaged');
    expect(failure.message).toBe(
      `The lock file ${lock} is damaged: it must be empty and has ${text.length} bytes.`,
    );
    expect(failure.hint).toContain(`rm '${lock}'`);
    expect(failure.hint).not.toMatch(/network/);
    expect(readFileSync(lock, 'utf8')).toBe(text);
    rmSync(lock);
    const journal = await bed.open();
    await journal.close();
  }
});

it('A lock file that is damaged while a driver has the lock still names that driver [Q4]', async () => {
  const held = contender();
  await held.line();
  writeFileSync(bed.paths.run('r').lock, 'not a lock'.repeat(10));
  expect(await bed.store.open('r')).toMatchObject({ heldBy: { pid: held.process.pid } });
});

it('The lock is released when opening the run fails [Q4]', async () => {
  const { journal, mirror } = bed.paths.run('r');
  rmSync(mirror);
  writeFileSync(journal, 'nothing\nsound\n');
  await expect(bed.open()).rejects.toMatchObject({ code: 'journal-damaged' });
  expect(await bed.store.holder('r')).toBeNull();
  await expect(bed.open()).rejects.toMatchObject({ code: 'journal-damaged' });
});
