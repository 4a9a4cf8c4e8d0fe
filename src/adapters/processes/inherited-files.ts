// Files that terminals and editors leave open in the programs that they start, us included.
import { readdirSync, readFileSync } from 'node:fs';
import { orElse } from '#base/or-else.ts';

/** Files up to this number can be kept from a program at its start. */
const filesMax = 255;
const closeOnExec = 0o2000000;

let found: readonly number[] | null | undefined;

/**
 * Open files above the third that a program would get from us, in ascending order; null if one of them cannot be
 * kept from it. No program gets the files that Node opens.
 */
export function inheritedFiles(): readonly number[] | null {
  if (found === undefined) {
    const files = orElse(
      () =>
        readdirSync('/proc/self/fd')
          .map(Number)
          .filter(isInherited)
          .toSorted((a, b) => a - b),
      null,
    );
    found = files?.some((file) => file > filesMax) === true ? null : files;
  }
  return found;
}

function isInherited(file: number): boolean {
  // The folder that is listed is open as well, and closed by now.
  const info = orElse(() => readFileSync(`/proc/self/fdinfo/${file}`, 'utf8'), '');
  const flags = /^flags:\s*(\d+)/m.exec(info)?.[1];
  return file > 2 && flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
}
