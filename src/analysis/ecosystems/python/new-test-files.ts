// Finds new files that steer tests other than their own. Only cases that no honest work needs.
import { posix } from 'node:path';
import type { NewFile } from '#analysis/ecosystems/pin-facts.ts';

export async function steersTests(file: NewFile): Promise<string | null> {
  const { path, isTest, hasTestsBelow } = file;
  if (isPackageRecord(path) && hasTestsBelow(''))
    return (await file.text()).includes('pytest11') ? 'is a plugin of pytest' : null;
  if (!path.endsWith('.py') || !isTest(path) || !hasTestsBelow('')) return null;
  const text = await file.text();
  if (replacesWork(path, text, (module) => isModule(module, file)))
    return 'puts something else in the place of the work, for all tests';
  const isSteering = hasTestsBelow(path) && preparesTests(path, text);
  return isSteering ? 'decides about other tests than its own' : null;
}

function isModule(name: string, { now, isTest }: NewFile): boolean {
  const path = name.replaceAll('.', '/');
  const isFile = new RegExp(String.raw`(^|/)${path}(\.py|/__init__\.py)$`);
  return [...now.keys()].some((each) => isFile.test(each) && !isTest(each));
}

/** The record of an installed package; Python finds it in the start folder as well. */
function isPackageRecord(path: string): boolean {
  return /\.(egg|dist)-info\/entry_points\.txt$/.test(path);
}

const inPackage =
  /\bdef load_tests\b|\bsys\.modules\b|\bsys\.(?:meta_path|path_hooks|settrace|setprofile)\b|\bbuiltins\b|\bsetattr\s*\(|\bmock\b|\bpatch\w*\s*\(|\bos\._exit\b|\bsys\.exit\b|\batexit\b|^[\w.]+\.\w+\s*=(?!=)/m;

/** The `__init__.py` of a test folder runs before each test; mostly it is empty. */
export function preparesTests(path: string, text: string): boolean {
  return posix.basename(path) === '__init__.py' && inPackage.test(codeOf(text));
}

function codeOf(python: string): string {
  return python.replace(/("{3}|'{3})[\s\S]*?\1|#.*$/gm, '');
}

/**
 * Python runs all tests in one process: if a new test file replaces the work while it loads, the other tests
 * get the replacement. `isOwn` knows the modules of the repository by their dotted names.
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

// At the beginning of a line: on load of the file. A constant may be a setting.
const replaced =
  /^(?:setattr\(\s*)?([a-z_]\w*(?:\.\w+)+)\s*=\s*(?:lambda\b|(?!(?:True|False|None)\b)[A-Za-z_][\w.]*(?:\(.*\))?\s*(?:#.*)?$)/gm;

/** Names that refer to modules of the repository in this file. */
function ownModules(text: string, isOwn: (module: string) => boolean): Set<string> {
  const found = new Set<string>();
  for (const [, module = '', alias] of text.matchAll(/^import\s+([\w.]+)(?:\s+as\s+(\w+))?/gm))
    if (isOwn(module)) found.add(alias ?? module);
  for (const [, from = '', names = ''] of text.matchAll(/^from\s+([\w.]+)\s+import\s+([\w, ]+)$/gm))
    for (const [, name = '', alias] of names.matchAll(/(\w+)(?:\s+as\s+(\w+))?/g))
      if (isOwn(`${from}.${name}`)) found.add(alias ?? name);
  return found;
}
