// New files among the tests that decide about tests which are not their own. Only what no honest work does. Pure.
// The attribution finds them where a check turned green; for a check that was green before the work, these rules are all there is.
import { posix } from 'node:path';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';

const pins = factsOf('pins');
const readByRunners = pins.flatMap((each) => each.readByRunners ?? []);
const readByBuilds = pins.flatMap((each) => each.readByBuilds ?? []);

/** Read by a runner or an interpreter without being named, for every test at or below its folder. */
export function isReadByRunners(path: string): boolean {
  return readByRunners.some((pattern) => pattern.test(path));
}

/** Where it has force: resources of Java are read by every test of their module. */
export function readFrom(path: string): string {
  return path.replace(/(^|\/)src\/\w+\/resources\/.*$/, '$1resources');
}

/** What an installed package says of itself; Python finds it in the folder of the start as well. */
export function isPackageRecord(path: string): boolean {
  return /\.(egg|dist)-info\/entry_points\.txt$/.test(path);
}

/** Of the whole build, wherever they lie in the root. */
export function isReadByBuilds(path: string): boolean {
  const isOwn = /(^|\/)\.untildone\/config\.jsonc$/.test(path);
  return isOwn || readByBuilds.some((pattern) => pattern.test(path));
}

const inPackage =
  /\bdef load_tests\b|\bsys\.modules\b|\bsys\.(?:meta_path|path_hooks|settrace|setprofile)\b|\bbuiltins\b|\bsetattr\s*\(|\bmock\b|\bpatch\w*\s*\(|\bos\._exit\b|\bsys\.exit\b|\batexit\b|^[\w.]+\.\w+\s*=(?!=)/m;

/** The file that makes a folder of tests a package is run before each of them; mostly it is empty. */
export function preparesTests(path: string, text: string): boolean {
  return posix.basename(path) === '__init__.py' && inPackage.test(codeOf(text));
}

function codeOf(python: string): string {
  return python.replace(/("{3}|'{3})[\s\S]*?\1|#.*$/gm, '');
}

/**
 * Python runs all tests in one process: what a new one puts in the place of the work, while it is loaded, the others are
 * given too. `isOwn` knows the modules of the repository by their dotted names.
 */
export function replacesWork(path: string, text: string, isOwn: (module: string) => boolean): boolean {
  if (!path.endsWith('.py')) return false;
  const keys = [...text.matchAll(/^sys\.modules\[\s*["']([\w.]+)["']\s*\]\s*=(?!=)/gm)];
  if (keys.some(([, module = '']) => isOwn(module))) return true;
  const modules = ownModules(text, isOwn);
  return [...text.matchAll(replaced)].some(([, target = '']) =>
    modules.has(target.slice(0, target.lastIndexOf('.'))),
  );
}

// At the beginning of a line: when the file is loaded. A constant may be a setting.
const replaced =
  /^(?:setattr\(\s*)?([a-z_]\w*(?:\.\w+)+)\s*=\s*(?:lambda\b|(?!(?:True|False|None)\b)[A-Za-z_][\w.]*(?:\(.*\))?\s*(?:#.*)?$)/gm;

/** Names under which the file has modules of the repository. */
function ownModules(text: string, isOwn: (module: string) => boolean): Set<string> {
  const found = new Set<string>();
  for (const [, module = '', alias] of text.matchAll(/^import\s+([\w.]+)(?:\s+as\s+(\w+))?/gm))
    if (isOwn(module)) found.add(alias ?? module);
  for (const [, from = '', names = ''] of text.matchAll(/^from\s+([\w.]+)\s+import\s+([\w, ]+)$/gm))
    for (const [, name = '', alias] of names.matchAll(/(\w+)(?:\s+as\s+(\w+))?/g))
      if (isOwn(`${from}.${name}`)) found.add(alias ?? name);
  return found;
}

/** The dependency that a file in a `__mocks__` folder stands for, in the manifest beside that folder; null for all others. */
export function mockedBy(path: string): { readonly manifest: string; readonly name: string } | null {
  const found = /^(.*\/)?__mocks__\/((?:@[^/]+\/)?[^/]+)\.[cm]?[jt]sx?$/.exec(path);
  const [, folder = '', name = ''] = found ?? [];
  return found === null ? null : { manifest: `${folder}package.json`, name };
}
