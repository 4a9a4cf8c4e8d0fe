// Finds Go modules that are missing, that replace others, or that a repository vendors.
import { posix } from 'node:path';
import { notThere } from '#analysis/tampering/pins/not-there.ts';
import { textOf, textsOf, type TreeReader, type Trees } from '#analysis/tampering/pins/tree-reader.ts';
import { allOf, manifestsNamed, type RedCheck } from '#analysis/why-red/red-check.ts';
import type { BrokenPin, RedCause } from '#kernel/model/criterion.ts';

/** Null if only files of the repository are missing. */
export function missingModule(check: RedCheck): RedCause | null {
  const text = missingIn(check);
  return text === null ? null : { kind: 'missing-package', text };
}

function missingIn(check: RedCheck): string | null {
  const own = manifestsNamed(check, /^go\.mod$/).flatMap(([, text]) =>
    allOf(text, /^module\s+"?([^\s"]+)/gm),
  );
  const isOwn = (path: string): boolean =>
    own.some((module) => path === module || path.startsWith(`${module}/`));
  const unlisted = allOf(
    check.output,
    /no required module provides package ([^\s;:]+)|cannot find module providing package ([^\s;:]+)/g,
  ).find((path) => !isOwn(path));
  if (unlisted !== undefined) return `no module in go.mod provides the package "${unlisted}"`;
  const unsummed = allOf(
    check.output,
    /missing go\.sum entry for (?:module providing package|go\.mod file) ?([^\s;:]*)/g,
  );
  if (unsummed.length > 0)
    return `go.sum has no entry for "${unsummed[0] ?? ''}"; "go mod download" or "go mod tidy" adds it`;
  const isOff = check.output.includes('module lookup disabled by GOPROXY=off');
  const asked = isOff ? allOf(check.output, /^go: downloading (\S+) v\S+$/gm) : [];
  const unfetched = [...allOf(check.output, unfetchedModule), ...asked].find((path) => !isOwn(path));
  return unfetched === undefined ? null : `the module "${unfetched}" cannot be fetched`;
}

/** The requested module, in front of the answer of a proxy or a repository. */
const unfetchedModule =
  /(?:^|\s)([^\s:@]+)@v[^\s:]+: (?:Get "|reading https?:|git |invalid version: |unrecognized import path )|\bmodule ([^\s:@]+): (?:Get "|reading https?:|git )/gm;

const manifestsMax = 500;

/** In a Go workspace, the repository's own module takes precedence over the required one. */
export async function takenModule(read: TreeReader, trees: Trees, path: string): Promise<BrokenPin[]> {
  const why = 'is loaded instead of what has that name';
  return (await takesModule(read, trees, path)) ? [{ path: `${path}#module`, change: 'changed', why }] : [];
}

async function takesModule(read: TreeReader, trees: Trees, path: string): Promise<boolean> {
  const own = /^module\s+"?([^\s"]+)/m;
  const module = own.exec(await textOf(read, trees.now, path))?.[1];
  if (module === undefined) return false;
  const manifests = [...trees.base.keys()].filter((each) => posix.basename(each) === 'go.mod');
  const texts = [...(await textsOf(read, trees.base, manifests.slice(0, manifestsMax))).values()];
  if (texts.some((text) => own.exec(text)?.[1] === module)) return false;
  return texts.some((text) => text.split(/\s+/).includes(module));
}

/** Finds a new list of modules, and changed files of modules that are still the same. */
export async function changedVendored(read: TreeReader, trees: Trees): Promise<BrokenPin[]> {
  const lists = [...trees.now.keys()].filter((path) => /(^|\/)vendor\/modules\.txt$/.test(path));
  const broken: BrokenPin[] = [];
  for (const path of lists) {
    const why = 'would be taken instead of the modules that are required';
    if (!trees.base.has(path)) broken.push({ path, change: 'added', why: notThere(path, why) });
    const sides = [trees.base, trees.now].map(async (files) => ({
      files,
      list: await textOf(read, files, path),
    }));
    const [base, now] = await Promise.all(sides);
    if (base === undefined || now === undefined) continue;
    for (const each of changedFiles(`${posix.dirname(path)}/`, base, now)) {
      const change = !trees.now.has(each) ? 'deleted' : trees.base.has(each) ? 'changed' : 'added';
      broken.push({ path: each, change, why: 'belongs to a module that is still the same' });
    }
  }
  return broken;
}

/** The vendored modules in `vendor/modules.txt`: module to version and source. */
function vendored(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/^# (\S+)(?: (.*))?$/gm)].map(([, module = '', version = '']) => [module, version]),
  );
}

interface Listed {
  readonly files: ReadonlyMap<string, string>;
  /** The list of vendored modules; empty if there is none. */
  readonly list: string;
}

/** Files in a `vendor` folder that differ although their module is the same; go compares only the list. */
function changedFiles(folder: string, base: Listed, now: Listed): string[] {
  const [old, present] = [vendored(base.list), vendored(now.list)];
  const same = [...old]
    .filter(([module, version]) => present.get(module) === version)
    .map(([module]) => module);
  const paths = [...new Set([...base.files.keys(), ...now.files.keys()])].filter(
    (path) => path.startsWith(folder) && base.files.get(path) !== now.files.get(path),
  );
  return paths.filter((path) => same.some((module) => path.startsWith(`${folder}${module}/`)));
}
