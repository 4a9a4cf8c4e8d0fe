// Computes the file changes of a session: the difference of two trees, with new contents as bytes.
import { OperatorError } from '#base/operator-error.ts';
import { limitMsOf } from '#adapters/git/repo/git-limits.ts';
import { createGit, type Environment, split } from '#adapters/git/repo/git.ts';
import { runGit } from '#adapters/git/repo/run-git.ts';

export type FileChange =
  | { readonly kind: 'deleted'; readonly path: string }
  | {
      readonly kind: 'written';
      readonly path: string;
      readonly bytes: Buffer;
      readonly isExecutable: boolean;
      /** Null for a new file. */
      readonly wasExecutable: boolean | null;
    }
  | { readonly kind: 'linked'; readonly path: string; readonly target: string }
  /** A nested repository: its commit cannot be written as a file. */
  | { readonly kind: 'submodule'; readonly path: string };

/** People read and keep a recording; a larger change is a build folder that should be ignored. */
const bytesMax = 64 * 1024 * 1024;

/** Contract: rejects with an OperatorError if a tree is missing or the change is too large. */
export async function treeChange(
  place: { readonly commonDir: string; readonly env: Environment },
  from: string,
  to: string,
): Promise<FileChange[]> {
  if (from === to) return [];
  const git = createGit(place.commonDir, place.env);
  const answer = await git.ask([...rawDiff, from, to], { gitDir: place.commonDir });
  if (answer.code !== 0) throw treeIsGone(from, to);
  const entries = rawEntries(answer.stdout);
  const wanted = entries.filter((entry) => entry.mode !== '000000' && entry.mode !== '160000');
  const blobs = await readBlobs(
    place,
    wanted.map((entry) => entry.object),
  );
  return entries.map((entry) => changeOf(entry, blobs));
}

/** Arguments that list the differences of two trees with modes and objects, for `rawEntries`. */
export const rawDiff: readonly string[] = 'diff-tree -r -z --raw --no-renames --no-abbrev'.split(' ');

export interface RawEntry {
  readonly path: string;
  readonly oldMode: string;
  readonly mode: string;
  readonly object: string;
}

/** Format: `:<old mode> <new mode> <old object> <new object> <status>`, then the path. */
export function rawEntries(output: string): RawEntry[] {
  const parts = split(output);
  const entries: RawEntry[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [oldMode = '', mode = '', , object = ''] = (parts[at] ?? '').slice(1).split(' ');
    entries.push({ path: parts[at + 1] ?? '', oldMode, mode, object });
  }
  return entries;
}

function changeOf({ path, oldMode, mode, object }: RawEntry, blobs: ReadonlyMap<string, Buffer>): FileChange {
  if (mode === '000000') return { kind: 'deleted', path };
  if (mode === '160000') return { kind: 'submodule', path };
  const bytes = blobs.get(object) ?? Buffer.alloc(0);
  if (mode === '120000') return { kind: 'linked', path, target: bytes.toString('utf8') };
  const wasFile = oldMode === '100644' || oldMode === '100755';
  return {
    kind: 'written',
    path,
    bytes,
    isExecutable: mode === '100755',
    wasExecutable: wasFile ? oldMode === '100755' : null,
  };
}

/** Contents by object, as bytes, because text would damage binary files. */
async function readBlobs(
  { commonDir, env }: { readonly commonDir: string; readonly env: Environment },
  objects: readonly string[],
): Promise<Map<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  if (objects.length === 0) return blobs;
  const output = await catFile(commonDir, env, objects);
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0x0a, at);
    const [object = '', kind = '', size = ''] = output.toString('latin1', at, end).split(' ');
    if (kind !== 'blob') throw treeIsGone(object, kind);
    const start = end + 1;
    blobs.set(object, output.subarray(start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return blobs;
}

async function catFile(commonDir: string, env: Environment, objects: readonly string[]): Promise<Buffer> {
  const own = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'));
  const args = ['--git-dir', commonDir, 'cat-file', '--batch'];
  const output = await runGit(args, {
    cwd: commonDir,
    env: { ...Object.fromEntries(own), GIT_NO_REPLACE_OBJECTS: '1' },
    input: `${objects.join('\n')}\n`,
    limitMs: limitMsOf(['cat-file']),
    bytesMax,
  });
  if (output.isTooLong) throw tooLarge();
  if (output.code !== 0) throw treeIsGone(objects[0] ?? '', 'unreadable');
  return output.stdout;
}

function treeIsGone(from: string, to: string): OperatorError {
  return new OperatorError(
    'tree-gone',
    `What a session changed cannot be read: ${from.slice(0, 10)} or ${to.slice(0, 10)} is no longer in the repository.`,
    'The trees of a run are kept under refs/untildone/; where these were deleted, only its log is left.',
  );
}

function tooLarge(): OperatorError {
  return new OperatorError(
    'change-too-large',
    `A session changed more than ${bytesMax / 1024 / 1024} MB of files, too much for a recording.`,
    'Record the other sessions by name: --session builder_001',
  );
}
