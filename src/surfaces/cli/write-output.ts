import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OperatorError } from '#ports/operator-error.ts';

/** Returns the path in full. `mode` is for files that others should not read. */
export async function writeOutput(file: string, text: string, mode = 0o666): Promise<string> {
  const path = resolve(file);
  try {
    await writeFile(path, text, { mode });
    return path;
  } catch (error) {
    throw new OperatorError(
      'cannot-write',
      `${path} cannot be written: ${error instanceof Error ? error.message : ''}`,
      'Name another file.',
    );
  }
}
