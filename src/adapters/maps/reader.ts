// A process that reads and parses files one after the other, as it is told: what breaks a parser breaks only this.
import { extractOne } from './extract-one.ts';
import type { ListedFile } from './list-files.ts';
import { createSourceReader } from './read-source.ts';

const [, , root = '', hash = ''] = process.argv;
const read = createSourceReader(root, hash === 'sha256' ? hash : 'sha1');

process.on('message', (files: readonly ListedFile[]) => {
  void answer(files);
});
// Whoever asked is gone.
process.on('disconnect', () => process.exit(0));
process.send?.('ready');

async function answer(files: readonly ListedFile[]): Promise<void> {
  for (const file of files) process.send?.(await extractOne(file, read));
}
