// The built entries of the program, for tests that start it as a process. `build-program.ts` builds them first.
import { join } from 'node:path';
import { root } from '../tidy/repository.ts';

const files = { cli: 'bin/untildone.js', host: 'dist/host.js', browser: 'dist/browser.js' } as const;

export function builtEntry(entry: keyof typeof files): string {
  return join(root, files[entry]);
}
