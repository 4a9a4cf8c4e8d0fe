// The threads that the fake codex stores in its home, as the real one does: written with the first turn, never
// before.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = join(process.env['HOME'] ?? homedir(), '.fake-codex');
const fileOf = (threadId: string): string => join(folder, `${encodeURIComponent(threadId)}.json`);

export function isKept(threadId: string): boolean {
  return existsSync(fileOf(threadId));
}

/** Tokens of all its turns. */
export function totalOf(threadId: string): number {
  return isKept(threadId) ? Number(readFileSync(fileOf(threadId), 'utf8')) : 0;
}

export function keepTotal(threadId: string, total: number): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(threadId), String(total));
}

export function forget(threadId: string): void {
  rmSync(fileOf(threadId), { force: true });
}
