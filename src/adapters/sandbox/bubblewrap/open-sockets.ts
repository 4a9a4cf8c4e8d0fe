// Hides sockets of other programs, which act outside of the sandbox. A read-only mount does not prevent
// connecting to one.
import { existsSync } from 'node:fs';
import { isWithin } from '#base/is-within.ts';
import { deepestAt, isOther, type Mount } from './mounts.ts';
import { readProcText } from '#adapters/processes/proc-table.ts';

/** `own` is the program's checkout, whose sockets are its own. */
export function hiddenSockets(mounts: readonly Mount[], own: string): Mount[] {
  return socketFiles()
    .filter((path) => !isWithin(path, own) && isVisible(path, mounts) && existsSync(path))
    .map((path) => ({ kind: 'hide', path }));
}

function isVisible(path: string, mounts: readonly Mount[]): boolean {
  const deepest = deepestAt(path, mounts);
  return deepest === undefined || !isOther(deepest);
}

function socketFiles(): string[] {
  const lines = (readProcText('/proc/net/unix') ?? '').split('\n').slice(1);
  return [...new Set(lines.flatMap((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? []))];
}
