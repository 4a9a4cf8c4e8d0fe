// Restores links in writable folders to read-only targets: nothing can be mounted on a link.
import { readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { isWithin } from '#base/is-within.ts';
import type { SandboxRules } from '#ports/sandbox.ts';
import { orElse } from '#base/or-else.ts';

/** Contract: call the returned function when the program's processes have ended; it never throws. */
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
    // The user removed the folder.
  }
}

function targetOf(path: string): string | null {
  return orElse(() => readlinkSync(path), null);
}
