// Finds the manifests whose scripts a command runs, and the scripts that its words mean there.
import { posix } from 'node:path';
import picomatch from 'picomatch';
import type { ScriptCall } from '#analysis/tampering/script-calls.ts';
import { listOf } from '#analysis/texts/plain.ts';
import { readJson, recordOf } from '#analysis/texts/json-text.ts';
import { nameOf } from '#analysis/ecosystems/javascript/package-names.ts';
import { isDependency } from './pin-rules.ts';
import { folderOf, textOf, type TreeReader } from './tree-reader.ts';

const membersMax = 300;

type Files = ReadonlyMap<string, string>;

/** The nearest manifest, and those of the members below it that the call names. */
export async function manifestsOf(
  read: TreeReader,
  files: Files,
  { nearest, members }: { nearest: string; members: ScriptCall['members'] },
): Promise<string[]> {
  if (members === 'none') return [nearest];
  const below = [...files.keys()].filter(
    (path) =>
      posix.basename(path) === 'package.json' && path.startsWith(folderOf(nearest)) && !isDependency(path),
  );
  const all = [nearest, ...below.filter((path) => path !== nearest).slice(0, membersMax)];
  if (members === 'all') return all;
  const chosen: string[] = [];
  for (const path of all)
    if (
      members.some((each) => isFolder(path, each)) ||
      members.includes((await packageAt(read, files, path)) ?? '')
    )
      chosen.push(path);
  // An unknown name may be any of them.
  return chosen.length === 0 ? all : [nearest, ...chosen.filter((path) => path !== nearest)];
}

function isFolder(manifest: string, member: string): boolean {
  const folder = posix.dirname(manifest);
  const plain = posix.normalize(member).replace(/\/$/, '');
  return folder === plain || folder.endsWith(`/${plain}`);
}

async function packageAt(read: TreeReader, files: Files, path: string): Promise<string | null> {
  return nameOf(await textOf(read, files, path));
}

/** `test:*` as npm-run-all reads it, `/^test:/` as pnpm does; any other word is a name. */
export function matchingScripts(names: readonly string[], scripts: Iterable<string>): string[] {
  const known = [...scripts];
  return [...new Set(names.flatMap((name) => (/[*^]/.test(name) ? known.filter(matcher(name)) : name)))];
}

function matcher(name: string): (script: string) => boolean {
  if (/^\/.*\/$/.test(name)) return () => true;
  const isMatch = picomatch(name.replaceAll(':', '/'));
  return (script) => isMatch(script.replaceAll(':', '/'));
}

/** Adds the tasks that turbo runs before: `dependsOn: ["^build", "app#lint"]`. */
export async function withTasksBefore(
  read: TreeReader,
  files: Files,
  { nearest, names }: { nearest: string; names: readonly string[] },
): Promise<string[]> {
  const path = posix.join(posix.dirname(nearest), 'turbo.json');
  const settings = files.has(path) ? recordOf(readJson(await textOf(read, files, path))) : null;
  const tasks = recordOf(settings?.['tasks'] ?? settings?.['pipeline']) ?? {};
  const found = new Set(names);
  for (const name of found) {
    const own = Object.entries(tasks).filter(([task]) => task === name || task.endsWith(`#${name}`));
    for (const [, task] of own)
      for (const before of listOf(recordOf(task)?.['dependsOn']))
        found.add(String(before).replace(/^.*[#^]/, ''));
  }
  return [...found];
}

export function nearestManifest(files: Files, cwd: string): string | null {
  for (let folder = cwd; ; folder = posix.dirname(folder)) {
    const path = posix.join(folder, 'package.json');
    if (files.has(path)) return path;
    if (folder === '' || folder === '.') return null;
  }
}
