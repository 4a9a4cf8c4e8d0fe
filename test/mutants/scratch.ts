// A copy of the repository to plant faults in: the working tree is never touched, and programs that tests start see the fault too.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../tidy/repository.ts';

export interface Scratch {
  readonly root: string;
  /** What the tests leave behind goes with the copy. */
  readonly tmp: string;
  write(path: string, text: string): void;
  remove(): void;
}

/** Everything that tests beside the sources and under test/ read; not what tools make. */
const copied = /^(?!node_modules|dist|coverage|\.git$|\.untildone)/;

export function makeScratch(): Scratch {
  const home = mkdtempSync(join(tmpdir(), 'ud-mutants-'));
  const [copy, tmp] = [join(home, 'repository'), join(home, 'tmp')];
  cpSync(root, copy, { recursive: true, filter: (path) => copied.test(path.slice(root.length + 1)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(tmp);
  return {
    root: copy,
    tmp,
    write: (path, text) => writeFileSync(join(copy, path), text),
    remove: () => {
      endLeftovers(home);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A fault that lets processes escape leaves some behind: those that work in the copy are ours. */
function endLeftovers(home: string): void {
  const names = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  for (const name of names) {
    try {
      if (readlinkSync(`/proc/${name}/cwd`).startsWith(`${home}/`)) process.kill(Number(name), 'SIGKILL');
    } catch {
      // Gone, or of another user.
    }
  }
}
