// Makes scratch folders for homes and sockets of sandboxed programs, and removes those of killed processes.
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '#base/error-code.ts';
import { orElse } from '#base/or-else.ts';

/** The home of a program, removed when it ends; sockets, removed with our process. */
type Kind = 'sandbox' | 'sockets';

const made = /^untildone-(?:sandbox|sockets)-(\d+)-(\d+)-/;
const open = new Set<string>();
let isReady = false;

export function makeScratch(kind: Kind): string {
  if (!isReady) {
    isReady = true;
    tidy();
    process.once('exit', () => open.forEach(removeAtOnce));
  }
  const name = `untildone-${kind}-${namespaceNumber()}-${process.pid}-`;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), name)));
  open.add(folder);
  return folder;
}

/** Never rejects. */
export async function removeScratch(folder: string): Promise<void> {
  open.delete(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => removeAtOnce(folder));
}

/** Programs leave read-only folders behind, such as the caches of Go. */
function removeAtOnce(folder: string): void {
  try {
    makeWritable(folder);
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The next cleanup tries again.
  }
}

function makeWritable(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(join(folder, entry.name));
}

/** A pid is only meaningful within its pid namespace. */
function namespaceNumber(): string {
  return /\d+/.exec(orElse(() => readlinkSync('/proc/self/ns/pid'), ''))?.[0] ?? '0';
}

function tidy(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, namespace, pid] = made.exec(name) ?? [];
    if (namespace === namespaceNumber() && !isAlive(Number(pid))) void removeScratch(join(tmpdir(), name));
  }
}

/** A zombie is not alive. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function isZombie(pid: number): boolean {
  return /\) Z /.test(orElse(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), ''));
}
