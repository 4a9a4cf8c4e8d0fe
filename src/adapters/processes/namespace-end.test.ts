// The end of a pid namespace: known from bubblewrap's own word, and doubted where that word is missing or wrong.
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import fs, { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProcesses } from './create-processes.ts';
import { watchNamespace } from './namespace-end.ts';
import { readProcEntry, readProcText } from './proc-table.ts';

const processes = createProcesses({ confine: 'auto' });
const hasNamespaces = processes.confinement.kind === 'pid-namespace';
const note = hasNamespaces ? '' : ' — NOT RUN: bubblewrap is missing';

/** A shell in place of bubblewrap, and whether its namespace counts as gone after it has exited. */
async function isGoneAfter(script: string): Promise<boolean> {
  const child: ChildProcess = spawn('/bin/sh', ['-c', script], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const watch = watchNamespace(child.stdio.at(-1) as Readable, child.pid ?? 0);
  await new Promise((resolve) => {
    child.once('exit', resolve);
  });
  return watch.isGone();
}

describe('the end of a pid namespace', () => {
  it.runIf(hasNamespaces)(
    `A program in a namespace leaves no process behind, and the process table is not read for it [X11] [X18]${note}`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'untildone-namespace-'));
      const inside = `for n in 1 2 3; do (trap '' TERM; exec setsid sleep 307) & done; readlink /proc/self/ns/pid`;
      let printed = '';
      const tables = await countTableReads(async () => {
        const running = processes.start({
          command: ['/bin/sh', '-c', inside],
          cwd: folder,
          env: { PATH: process.env['PATH'] ?? '' },
          mark: `namespace-end-${process.pid}/1`,
          input: null,
          wallMs: 600_000,
          idleMs: null,
          graceMs: 300,
          onOutput: (chunk) => void (printed += chunk.toString('utf8')),
        });
        expect(await running.ended).toEqual({ kind: 'exited', code: 0 });
      });
      expect(printed).toMatch(/^pid:\[\d+\]\n$/);
      expect(membersOf(printed.trim())).toEqual([]);
      expect(tables).toBe(0);
      rmSync(folder, { recursive: true });
    },
  );

  it('A namespace whose first process is told and gone counts as gone', async () => {
    expect(await isGoneAfter('sh -c true & echo "{ \\"child-pid\\": $! }" >&3; wait')).toBe(true);
  });

  it('A namespace counts as gone only when its first process is', async () => {
    const started = performance.now();
    expect(await isGoneAfter('sleep 0.3 3>&- & echo "{ \\"child-pid\\": $! }" >&3; sleep 0.1')).toBe(true);
    expect(performance.now() - started).toBeGreaterThanOrEqual(250);
  });

  it('The first process of a namespace is recognised after its wrapper has ended', async () => {
    const told = '$(readlink /proc/self/ns/pid | tr -dc 0-9)';
    const script = `sleep 0.3 3>&- & (sleep 0.1; echo "{ \\"child-pid\\": $!, \\"pid-namespace\\": ${told} }" >&3) &`;
    const started = performance.now();
    expect(await isGoneAfter(script)).toBe(true);
    expect(performance.now() - started).toBeGreaterThanOrEqual(250);
  });

  it.each([
    ['nothing is told', 'exit 1'],
    ['the text is cut', 'printf "{ \\"child-pid\\": 12" >&3'],
    ['the text is garbage', 'echo "child-pid" >&3'],
    ['the process has another parent', `echo "{ \\"child-pid\\": ${process.pid} }" >&3`],
  ])('A namespace is not taken for gone if %s', async (_, script) => {
    expect(await isGoneAfter(script)).toBe(false);
  });
});

/** How often the folder of all processes was listed meanwhile. */
async function countTableReads(work: () => Promise<void>): Promise<number> {
  const real = fs.readdirSync;
  let count = 0;
  const counting = (...args: Parameters<typeof real>): ReturnType<typeof real> => {
    if (args[0] === '/proc') count += 1;
    return real(...args);
  };
  Object.assign(fs, { readdirSync: counting });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(fs, { readdirSync: real });
    syncBuiltinESMExports();
  }
  return count;
}

/** Living processes of a pid namespace, seen from outside. */
function membersOf(namespace: string): number[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readProcEntry(pid) !== null && namespaceOf(pid) === namespace);
}

function namespaceOf(pid: number): string | null {
  try {
    return fs.readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return readProcText(`/proc/${pid}/stat`) === null ? null : 'unreadable';
  }
}

it('The counter of table reads notices a read', async () => {
  const count = await countTableReads(async () => {
    (await import('./proc-table.ts')).readProcTable();
  });
  expect(count).toBe(1);
  expect(readFileSync('/proc/self/stat', 'utf8')).not.toBe('');
});
