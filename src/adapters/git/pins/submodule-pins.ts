// Pins submodules that are tests or hold mostly tests: another commit would change what is tested.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isTest } from '#analysis/test-files/test-names.ts';
import { isReadableTest } from '#analysis/test-files/test-texts.ts';
import type { Pin } from '#kernel/model/criterion.ts';
import { split } from '#adapters/git/repo/git.ts';
import { type TreeGround, treeReader } from '#adapters/git/trees/pin-tree.ts';
import { textOf } from '#analysis/tampering/pins/tree-reader.ts';

/** Prefix of a pin on the `.gitmodules` settings of one submodule; its path follows. */
export const submoduleMark = '.gitmodules#submodule.';

// Each one costs a git process.
const listedMax = 50;
const testName =
  /(^|[/_-])(tests?|specs?|testdata|test-?suites?|fixtures?|goldens?|vectors|conformance)([/_-]|$)/i;

type Files = ReadonlyMap<string, string>;

export function isSubmodule(file: string | undefined): boolean {
  return file?.startsWith('160000') === true;
}

/** The submodule that holds a path; null for a path of the repository itself. */
export function submoduleAt(files: Files, path: string): string | null {
  for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1))
    if (isSubmodule(files.get(path.slice(0, at)))) return path.slice(0, at);
  return null;
}

/** `pinned`: submodules that a check uses. */
export async function submodulePins(
  ground: TreeGround,
  files: Files,
  pinned: ReadonlySet<string>,
): Promise<Pin[]> {
  const paths = [...files.keys()].filter((path) => isSubmodule(files.get(path)));
  if (paths.length === 0) return [];
  const settings = await textOf(treeReader(ground), files, '.gitmodules');
  const pins: Pin[] = [];
  for (const [at, path] of paths.entries()) {
    const named = isTest(`${path}/x`) || testName.test(path) || pinned.has(path);
    const folder = join(ground.gitDir, 'modules', nameIn(settings, path) ?? path);
    const commit = files.get(path)?.split(' ')[1] ?? '';
    if (!named && (at >= listedMax || !(await holdsTests(ground, folder, commit)))) continue;
    const own = submoduleSettings(settings, path);
    pins.push({ path, hash: files.get(path) ?? '', why: 'a submodule with tests' });
    if (own !== null)
      pins.push({ path: `${submoduleMark}${path}`, hash: own, why: 'says which repository the tests are' });
  }
  return pins;
}

/** Most libraries contain some tests; in a test suite they are at least half of the code. */
async function holdsTests({ git }: TreeGround, gitDir: string, commit: string): Promise<boolean> {
  if (!existsSync(gitDir)) return false;
  const listed = await git.ask(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit], { gitDir });
  const paths = listed.code === 0 ? split(listed.stdout) : [];
  const tests = paths.filter((path) => isTest(path)).length;
  return tests > 0 && tests * 2 >= paths.filter((path) => isReadableTest(path)).length;
}

/** Normalized settings of the submodule at a path in `.gitmodules`; null if there are none. */
export function submoduleSettings(text: string, path: string): string | null {
  const block = blockOf(text, path);
  if (block === null) return null;
  const lines = block.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  return lines
    .filter((line) => line !== '' && !/^[#;]/.test(line))
    .toSorted()
    .join('\n');
}

function nameIn(text: string, path: string): string | null {
  return /^\[submodule "(.*)"\]/.exec(blockOf(text, path) ?? '')?.[1] ?? null;
}

/** The last block counts, as for git. */
function blockOf(text: string, path: string): string | null {
  const blocks = text.split(/^(?=\s*\[)/m).map((block) => block.trimStart());
  return blocks.findLast((block) => /^\s*path\s*=\s*(.*?)\s*$/m.exec(block)?.[1] === path) ?? null;
}
