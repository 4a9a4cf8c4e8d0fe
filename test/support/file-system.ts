// Temporary file systems for tests: small, full, read-only. They need the right to mount.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const canMount = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'untildone-mount-'));
  const isMounted = succeeds('mount', '-t', 'tmpfs', 'tmpfs', folder);
  if (isMounted) unmount(folder);
  rmSync(folder, { recursive: true });
  return isMounted;
})();

/** For the title of a test that needs it. */
export const whereMounted = canMount
  ? 'on a real file system of its own'
  : 'NOT SHOWN HERE: this machine does not permit mounts';

/** `options` as `mount -o` takes them, such as `size=2m`, or `remount,ro`. */
export function mountMemory(folder: string, options: string): void {
  if (!succeeds('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder))
    throw new Error(`could not mount ${folder} with ${options}`);
}

export function unmount(folder: string): void {
  succeeds('umount', '--lazy', folder);
}

function succeeds(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}
