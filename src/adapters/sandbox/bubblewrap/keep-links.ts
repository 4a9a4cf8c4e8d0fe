// Links in a folder that a program may write, to what it may only read. Nothing can be mounted on a link: one that was replaced is put back.
import { readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { isWithin } from '#base/is-within.ts';
import type { SandboxRules } from '#ports/sandbox.ts';
import { orElse } from '#base/or-else.ts';

/** Contract: what it returns is called when nothing of the program is alive, and never throws. */
export function keepLinks({ readable, writable }: SandboxRules): () => void {
  const links = readable
    .filter((path) => writable.some((folder) => isWithin(path, folder)))
    .flatMap((path) => {
      const to = targetOf(path);
      return to === null ? [] : [{ path, to }];
    });
  return () => {
    for (const { path, to } of links) if (targetOf(path) !== to) putBack(path, to);
  };
}

function putBack(path: string, to: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
    symlinkSync(to, path);
  } catch {
    // The person took the folder away.
  }
}

function targetOf(path: string): string | null {
  return orElse(() => readlinkSync(path), null);
}
