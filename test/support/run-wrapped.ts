// Runs a program that a sandbox has wrapped, without the adapter of processes.
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { WrappedProgram } from '#ports/sandbox.ts';

/** `leaked` are descriptors that the program inherits beside its own, as a terminal may leave them open. */
export function runWrapped(
  { file, args, env, openFiles = [] }: WrappedProgram,
  leaked: readonly number[] = [],
): SpawnSyncReturns<string> {
  const files = openFiles.map((path) => openSync(path, 'r'));
  try {
    const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const, ...files, 'pipe' as const, ...leaked];
    return spawnSync(file, args, { env, stdio, encoding: 'utf8' });
  } finally {
    for (const one of files) closeSync(one);
  }
}
