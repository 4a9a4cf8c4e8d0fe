// Counts the starts of a program exactly: a wrapper of the same name, first on the PATH, records each of them.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findProgram } from '#adapters/processes/program.ts';

export interface StartCounter {
  /** The PATH on which the wrapper comes first. */
  readonly path: string;
  /** A line for a shell script: what starts afterwards belongs to the next phase. */
  readonly nextPhase: string;
  /** The arguments of each start, in order, by phase. */
  readonly phases: () => string[][][];
}

const phaseMark = 'next phase';
const between = '\u001f';

/** Contract: counts what is started by this name, not what the program itself starts beside it. */
export function countStarts(name: string, folder: string): StartCounter {
  const real = findProgram(name, process.env['PATH'], '/');
  if (!('path' in real)) throw new Error(real.problem);
  const bin = join(folder, `counted-${name}`);
  const file = join(bin, 'starts');
  mkdirSync(bin);
  writeFileSync(file, '');
  // One write for each start, because programs start at the same time.
  const record = `IFS='${between}'\nprintf '%s\\000' "$*" >> '${file}'`;
  writeFileSync(join(bin, name), `#!/bin/sh\n${record}\nexec '${real.path}' "$@"\n`);
  chmodSync(join(bin, name), 0o755);
  return {
    path: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
    nextPhase: `printf '%s\\000' '${phaseMark}' >> '${file}'`,
    phases: () => phasesOf(readFileSync(file, 'utf8').split('\0').slice(0, -1)),
  };
}

function phasesOf(records: readonly string[]): string[][][] {
  const phases: string[][][] = [[]];
  for (const record of records) {
    if (record === phaseMark) phases.push([]);
    else phases.at(-1)?.push(record.split(between));
  }
  return phases;
}
