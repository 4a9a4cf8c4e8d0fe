import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { ProcessSpec, Processes } from '#ports/processes.ts';
import type { Sandbox } from '#ports/sandbox.ts';
import { createProcesses } from './create-processes.ts';
import { hasProcTable, isMarkedBy, readMark, readProcEntry, readProcTable } from './proc-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'untildone-processes-'));
const runId = `test-${process.pid}-${Date.now()}`;
const marker = createProcesses({ confine: 'marker' });
const strongest = createProcesses({ confine: 'auto' });
const kinds: [string, Processes][] = [['marker', marker]];
if (strongest.confinement.kind === 'pid-namespace') kinds.push(['pid-namespace', strongest]);

afterAll(async () => {
  await marker.sweep(runId);
  rmSync(folder, { recursive: true, force: true });
});

function specOf(command: ProcessSpec['command'], mark: string): ProcessSpec {
  return {
    command,
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    mark,
    input: null,
    wallMs: 600_000,
    idleMs: null,
    graceMs: 300,
    onOutput: () => {},
  };
}

let steps = 0;
function run(processes: Processes, command: ProcessSpec['command'], more: Partial<ProcessSpec> = {}) {
  steps += 1;
  const mark = `${runId}/${steps}`;
  const heard = { stdout: '', stderr: '' };
  const running = processes.start({
    ...specOf(command, mark),
    onOutput: (chunk, stream) => {
      heard[stream] += chunk.toString('utf8');
    },
    ...more,
  });
  return { running, heard, mark, ended: running.ended };
}

function aliveWith(prefix: string): number[] {
  return readProcTable()
    .filter((entry) => isMarkedBy(readMark(entry.pid), prefix))
    .map((entry) => entry.pid);
}

async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (let count = 0; !isTrue(); count += 1) {
    if (count > 30_000) throw new Error(`waited in vain until ${what}`);
    await sleep(10);
  }
}

async function fileWith(name: string): Promise<string> {
  const file = join(folder, name);
  await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'), `${name} is written`);
  return readFileSync(file, 'utf8').trim();
}

describe.each(kinds)('processes confined by %s', (kind, processes) => {
  it('The end of a program is reported as it happened, never as a default number [Q6]', async () => {
    expect(processes.confinement.kind).toBe(kind);
    expect(await run(processes, 'exit 0').ended).toEqual({ kind: 'exited', code: 0 });
    expect(await run(processes, 'exit 7').ended).toEqual({ kind: 'exited', code: 7 });
    expect(await run(processes, ['sh', '-c', 'kill -9 $$']).ended).toEqual({
      kind: 'signalled',
      signal: 'SIGKILL',
    });
  });

  it('A program gets exactly the given environment and the mark [B11]', async () => {
    const { heard, ended, mark } = run(processes, ['/usr/bin/env'], { env: { ONLY: 'this' } });
    await ended;
    const lines = heard.stdout
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('PWD='))
      .toSorted();
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe('ONLY=this');
    expect(lines[1]).toMatch(new RegExp(`^UNTILDONE_MARK=${mark}/[0-9a-f]+$`));
  });

  it.each([
    ['a missing program', ['no-such-program-here'], /"no-such-program-here" was not found/],
    ['a file that is no program', ['/etc/passwd'], /may not be executed/],
    ['a folder', ['/tmp'], /is a folder/],
    ['an empty name', [''], /is empty/],
    ['a null byte', ['echo', 'a\0b'], /null bytes/],
  ] as const)(
    'A program that cannot be started is reported in a sentence: %s [X6]',
    async (_, command, sentence) => {
      const { running, ended } = run(processes, command);
      expect(running.pid).toBeNull();
      expect(await ended).toEqual({
        kind: 'not-started',
        reason: expect.stringMatching(sentence) as unknown,
      });
    },
  );

  it('A missing working folder and an argument that is too long are reported [X6]', async () => {
    expect(await run(processes, 'true', { cwd: join(folder, 'none') }).ended).toEqual({
      kind: 'not-started',
      reason: expect.stringContaining('does not exist') as unknown,
    });
    expect(await run(processes, ['echo', 'x'.repeat(3_000_000)]).ended).toEqual({
      kind: 'not-started',
      reason: expect.stringContaining('longer than the system allows') as unknown,
    });
  });

  it('A program gets input of any size, and unread input causes no crash', async () => {
    const large = 'y'.repeat(3_000_000);
    const { heard, ended } = run(processes, 'wc -c', { input: large });
    await ended;
    expect(heard.stdout.trim()).toBe('3000000');
    expect(await run(processes, 'exec 0<&-; sleep 0.1; exit 3', { input: large }).ended).toEqual({
      kind: 'exited',
      code: 3,
    });
  });

  it('Standard input stays open for more until it is closed', async () => {
    const { input: _, ...open } = specOf('cat', `${runId}/open-${kind}`);
    let heard = '';
    const running = processes.start({
      ...open,
      onOutput: (chunk) => {
        heard += chunk.toString('utf8');
      },
    });
    running.write('one ');
    running.write('two');
    running.closeInput();
    expect(await running.ended).toEqual({ kind: 'exited', code: 0 });
    expect(heard).toBe('one two');
  });

  it('A program that runs too long is ended, and the ending names the limit [Q6]', async () => {
    expect(await run(processes, 'sleep 60', { wallMs: 150 }).ended).toEqual({
      kind: 'timed-out',
      limit: 'wall',
      afterMs: 150,
    });
  });

  it('A program that is silent too long is ended, but not while a tool call is open [Q6]', async () => {
    expect(await run(processes, 'echo a; sleep 60', { idleMs: 200 }).ended).toEqual({
      kind: 'timed-out',
      limit: 'idle',
      afterMs: 200,
    });
    expect(await run(processes, 'sleep 0.8', { idleMs: 200, isBusy: () => true }).ended).toEqual({
      kind: 'exited',
      code: 0,
    });
  });

  it('A program that prints now and then is not ended, however long it takes [Q6]', async () => {
    // Our clock advances by itself and jumps between two lines; the program's clock does not.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], shouldAdvanceTime: true });
    const { input: _, ...open } = specOf('cat', `${runId}/talkative-${kind}`);
    let heard = '';
    const onOutput = (chunk: Buffer): void => void (heard += chunk.toString('utf8'));
    try {
      const running = processes.start({ ...open, idleMs: 3_600_000, wallMs: 1e9, onOutput });
      let isOver = false;
      void running.ended.then(() => (isOver = true));
      for (let count = 1; count <= 5; count += 1) {
        vi.advanceTimersByTime(3_000_000);
        running.write('x');
        while (heard.length < count && !isOver) await new Promise(setImmediate);
      }
      running.closeInput();
      expect(await running.ended).toEqual({ kind: 'exited', code: 0 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('The first cause is kept as the ending of a program', async () => {
    const { running, ended } = run(processes, 'trap "" TERM; sleep 60 & wait; sleep 60', {
      wallMs: 1_000,
      graceMs: 1_500,
    });
    await sleep(150);
    running.kill('first');
    running.kill('second');
    expect(await ended).toEqual({ kind: 'cancelled', reason: 'first' });
  });

  it('A program that received TERM may clean up before it is killed [Q6]', async () => {
    const name = `clean-${kind}`;
    const { running, heard, ended } = run(
      processes,
      `trap 'echo cleaned > ${name}; exit 0' TERM; echo up; while :; do sleep 0.02; done`,
      { graceMs: 600_000 },
    );
    await until(() => heard.stdout.includes('up'), 'it is up');
    running.kill('enough');
    expect(await ended).toEqual({ kind: 'cancelled', reason: 'enough' });
    expect(await fileWith(name)).toBe('cleaned');
  });

  it('A process that ignores TERM, detached itself or forked twice is killed [X11]', async () => {
    const { running, heard, ended, mark } = run(
      processes,
      `trap '' TERM
       setsid sh -c 'trap "" TERM; while :; do sleep 0.05; done' &
       (setsid sh -c 'setsid sleep 300 & exit 0' &) ; sleep 300 &
       echo up; while :; do sleep 0.05; done`,
    );
    await until(() => heard.stdout.includes('up') && aliveWith(mark).length >= 4, 'its tree stands');
    running.kill('enough');
    expect(await ended).toEqual({ kind: 'cancelled', reason: 'enough' });
    expect(aliveWith(mark)).toEqual([]);
  });

  it('A descendant that dropped its environment while still in the tree is killed [X11]', async () => {
    const name = `shed-${kind}`;
    const { running, ended } = run(processes, `env -i setsid sleep 300 & echo $! > ${name}; wait`);
    await fileWith(name);
    await until(() => sleepersOf(running.pid ?? 0).length > 0, 'the sleeper sleeps');
    const [sleeper = 0] = sleepersOf(running.pid ?? 0);
    running.kill('enough');
    await ended;
    expect(readProcEntry(sleeper)).toBeNull();
  });

  it('The exit of a program is known with all its output, before its leftover processes are ended [D4]', async () => {
    const print = 'i=0; while [ $i -lt 2000 ]; do echo "line $i of what it prints"; i=$((i+1)); done';
    const { running, heard, ended } = run(
      processes,
      `(trap "" TERM; while :; do sleep 0.05; done) & ${print}; echo last words; exit 0`,
    );
    const order: string[] = [];
    void ended.then(() => order.push('ended'));
    expect(await running.exited).toEqual({ kind: 'exited', code: 0 });
    expect([order, heard.stdout.endsWith('last words\n')]).toEqual([[], true]);
    // A kill that comes now does not change how it ended.
    running.kill('too late');
    expect(await ended).toEqual({ kind: 'exited', code: 0 });
  });

  it('A program that has exited does not count as killed by a request that came before Node reported the exit [D4]', async () => {
    const { running, ended } = run(processes, ['sh', '-c', 'exit 0']);
    // The event loop of this process is blocked meanwhile, so that Node does not report the exit.
    const deadline = Date.now() + 600_000;
    while (readProcEntry(running.pid ?? 0) !== null && Date.now() < deadline);
    running.kill('too late');
    expect(await ended).toEqual({ kind: 'exited', code: 0 });
  });

  it('A normal exit leaves no process behind either [X11]', async () => {
    const { ended, mark, heard } = run(
      processes,
      'sleep 300 & setsid sleep 300 & (trap "" TERM; sleep 300) & echo left; exit 0',
    );
    expect(await ended).toEqual({ kind: 'exited', code: 0 });
    expect(heard.stdout).toBe('left\n');
    expect(aliveWith(mark)).toEqual([]);
  });

  it('A process that was between two programs when the first one ended is not left behind [X11]', async () => {
    // It changes its program all the time, in a session of its own: only by its mark can it be found.
    const again = join(folder, `again-${kind}`);
    writeFileSync(again, '#!/bin/sh\nexec "$0"\n', { mode: 0o755 });
    const marks: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      const { ended, mark } = run(processes, `setsid ${again} & sleep 0.02; exit 0`);
      expect(await ended).toEqual({ kind: 'exited', code: 0 });
      marks.push(mark);
    }
    const looks = Array.from({ length: 5 }, () => marks.flatMap(aliveWith));
    rmSync(again);
    expect(looks.flat()).toEqual([]);
  });

  it('The end of a program leaves its neighbours of the same step alone [X11]', async () => {
    const mark = `${runId}/shared-${kind}`;
    const neighbour = run(processes, 'sleep 300', { mark });
    const short = run(processes, 'true', { mark });
    await short.ended;
    await until(() => aliveWith(mark).length > 0, 'the neighbour runs');
    expect(neighbour.running.pid === null ? null : readProcEntry(neighbour.running.pid)).not.toBeNull();
    neighbour.running.kill('over');
    await neighbour.ended;
  });

  it('A flooding program is held back while its reader is busy, and no output is lost', async () => {
    let taken = 0;
    let waiting = 0;
    let waitingMax = 0;
    const { ended } = run(processes, 'head -c 3000000 /dev/zero', {
      onOutput: async (chunk) => {
        waiting += 1;
        waitingMax = Math.max(waitingMax, waiting);
        await sleep(2);
        waiting -= 1;
        taken += chunk.length;
      },
    });
    expect(await ended).toEqual({ kind: 'exited', code: 0 });
    expect(taken).toBe(3_000_000);
    expect(waitingMax).toBe(1);
  });

  it('A program waits while its reader is busy, so that its output does not fill our memory [B9]', async () => {
    const flood = 'head -c 5000000 /dev/zero';
    const gate = Promise.withResolvers<void>();
    let heard = 0;
    const held = run(processes, flood, {
      onOutput: async (chunk) => {
        heard += chunk.length;
        await gate.promise;
      },
    });
    // As much again, and that one is read at once.
    await run(processes, `${flood}; ${flood}`, { onOutput: () => {} }).ended;
    expect(held.running.pid === null ? null : readProcEntry(held.running.pid)).not.toBeNull();
    gate.resolve();
    expect(await held.ended).toEqual({ kind: 'exited', code: 0 });
    expect(heard).toBe(5_000_000);
  });

  it('A program whose output cannot be processed is ended, without a crash of the driver', async () => {
    const { ended } = run(processes, 'echo a; sleep 60', {
      onOutput: () => {
        throw new Error('no space left');
      },
    });
    expect(await ended).toEqual({
      kind: 'cancelled',
      reason: 'its output could not be taken: no space left',
    });
  });
});

function sleepersOf(root: number): number[] {
  const table = readProcTable();
  const family = new Set([root]);
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const entry of table) if (family.has(entry.ppid)) family.add(entry.pid);
  }
  return [...family].filter((pid) => isSleeper(pid));
}

function isSleeper(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep\u0000300');
  } catch {
    return false;
  }
}

describe('sweeps', () => {
  it('A sweep kills by mark even a process that dropped everything else, and returns the pids [X11]', async () => {
    const prefix = `${runId}/sweep`;
    const left = marker.start(specOf('setsid sleep 300 & sleep 300; exit 0', `${prefix}/1`));
    await until(() => aliveWith(prefix).length >= 3, 'the tree stands');
    const killed = await marker.sweep(prefix);
    expect(killed.length).toBeGreaterThanOrEqual(3);
    expect(aliveWith(prefix)).toEqual([]);
    expect(await left.ended).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
    expect(await marker.sweep(prefix)).toEqual([]);
  });

  it('A sweep reads marks as paths: step 1 is not step 10 [X11]', () => {
    expect(isMarkedBy('run/1/ab', 'run/1')).toBe(true);
    expect(isMarkedBy('run/1', 'run/1')).toBe(true);
    expect(isMarkedBy('run/1/ab', 'run/')).toBe(true);
    expect(isMarkedBy('run/10/ab', 'run/1')).toBe(false);
    expect(isMarkedBy(null, '')).toBe(false);
  });

  it('A sweep does not mistake a zombie for a live process', async () => {
    expect(hasProcTable()).toBe(true);
    const name = 'zombie';
    // The child ends only when the shell has become a sleep, which never collects it; a shell might.
    const child = `until grep -q sleep /proc/$$/comm; do sleep 0.01; done`;
    const { running, ended } = run(marker, `(${child}) & echo $! > ${name}; exec sleep 300`);
    const zombie = Number(await fileWith(name));
    await until(() => /\) Z /.test(statOf(zombie)), 'the child is a zombie');
    expect(readProcEntry(zombie)).toBeNull();
    running.kill('over');
    await ended;
  });
});

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

it('A working folder that is gone when a program starts is named, and not the program [X6]', async () => {
  const cwd = mkdtempSync(join(folder, 'gone-'));
  const sandbox: Sandbox = {
    kind: 'srt',
    wrap: ({ file, args, env }) => {
      rmSync(cwd, { recursive: true, force: true });
      return { file, args, env, isNamespace: false, release: async () => {} };
    },
    close: () => {},
  };
  const late = createProcesses({ confine: 'marker', sandbox });
  const reason = `the working folder ${cwd} does not exist`;
  expect(await run(late, ['true'], { cwd }).ended).toEqual({ kind: 'not-started', reason });
  expect(await run(marker, ['true'], { cwd }).ended).toEqual({ kind: 'not-started', reason });
});

it('A wrapper that ends before it made its namespace is no program that failed [Q6] [X6]', async () => {
  const wrapped = (script: string): Sandbox => ({
    kind: 'bubblewrap',
    wrap: ({ env }) => ({
      file: '/bin/sh',
      args: ['-c', script],
      env,
      isNamespace: true,
      release: async () => {},
    }),
    close: () => {},
  });
  const endingOf = (script: string) =>
    run(createProcesses({ confine: 'auto', sandbox: wrapped(script) }), ['true']).ended;
  expect(await endingOf('echo "cannot enter" >&2; exit 1')).toMatchObject({ kind: 'not-started' });
  expect(await endingOf('echo \'{ "child-pid": 1 }\' >&3; exit 1')).toEqual({ kind: 'exited', code: 1 });
});
