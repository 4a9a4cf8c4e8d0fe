// Copies of whole folders, sharing blocks where the file system can.
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** `contents` copies what is in `from` into the folder `to`; `itself` copies `from` to the name `to`. */
export async function copyTree(
  from: string,
  to: string,
  what: 'contents' | 'itself' = 'contents',
): Promise<void> {
  await mkdir(what === 'contents' ? to : dirname(to), { recursive: true });
  // Node's own copy takes several times as long over a hundred thousand small files.
  if (process.platform !== 'win32') {
    const target = what === 'contents' ? [`${from}/.`, to] : [from, to];
    await run('cp', ['-a', '--', ...target], { maxBuffer: 1024 * 1024 });
    return;
  }
  await cp(from, to, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
}
