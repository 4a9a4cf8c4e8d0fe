// Tells when a pid namespace of bubblewrap is empty, without reading the process table. The kernel ends all
// processes of a namespace before its first process becomes a zombie.
import { readlinkSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { orElse } from '#base/or-else.ts';
import { hasProcTable, readProcEntry } from './proc-table.ts';

export interface NamespaceWatch {
  /** Contract: called when the wrapper has exited. Whether it came so far as to make the namespace. */
  wasMade(): Promise<boolean>;
  /** Contract: called when the wrapper has exited. False if this cannot be known: search the process table. */
  isGone(): Promise<boolean>;
}

/** After the wrapper, the kernel needs some milliseconds; a process in a system call may need longer. */
const goneMsMax = 2_000;
const infoBytesMax = 4_096;

/** Contract: bubblewrap writes its `--info-fd` to the pipe. */
export function watchNamespace(pipe: Readable, wrapperPid: number): NamespaceWatch {
  let text = '';
  let first: FirstProcess | null = null;
  pipe.on('data', (chunk: Buffer) => {
    if (text.length < infoBytesMax) text += chunk.toString('latin1');
    first ??= firstProcess(text, wrapperPid);
  });
  const closed = new Promise<void>((resolve) => {
    pipe.once('close', resolve);
    pipe.once('error', () => pipe.destroy());
  });
  const pipeEnd = (): Promise<void> => Promise.race([closed, sleep(goneMsMax, undefined, { ref: false })]);
  return {
    wasMade: async () => {
      await pipeEnd();
      return text !== '';
    },
    isGone: async () => {
      const deadline = performance.now() + goneMsMax;
      await pipeEnd();
      pipe.destroy();
      if (first === null || first === 'unknown') return false;
      while (first !== 'gone' && readProcEntry(first.pid)?.startTime === first.startTime) {
        if (performance.now() > deadline) return false;
        await sleep(1);
      }
      return true;
    },
  };
}

type FirstProcess = 'gone' | 'unknown' | { readonly pid: number; readonly startTime: string };

/** Null as long as the text is incomplete. */
function firstProcess(text: string, wrapperPid: number): FirstProcess | null {
  const pid = /"child-pid":\s*(\d+)\D/.exec(text)?.[1];
  if (pid === undefined || !text.includes('}')) return null;
  if (!hasProcTable()) return 'unknown';
  const entry = readProcEntry(Number(pid));
  if (entry === null) return 'gone';
  // With another parent it lost its wrapper, or its pid belongs to a new process.
  const isOurs = entry.ppid === wrapperPid || namespaceOf(entry.pid) === namespaceIn(text);
  return isOurs ? { pid: entry.pid, startTime: entry.startTime } : 'unknown';
}

function namespaceIn(text: string): string {
  return /"pid-namespace":\s*(\d+)/.exec(text)?.[1] ?? 'not told';
}

function namespaceOf(pid: number): string | null {
  return orElse(() => /\d+/.exec(readlinkSync(`/proc/${pid}/ns/pid`))?.[0] ?? null, null);
}
