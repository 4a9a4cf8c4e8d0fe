// Changes that steer a check without touching a pinned file: parts of manifests, and new files that runners and reviewers read.
import { posix } from 'node:path';
import { isTest } from '#analysis/tampering/test-names.ts';
import type { BrokenPin, Pin } from '#kernel/criterion.ts';
import { notThere } from './absent-pins.ts';
import { brokenSections } from './broken-sections.ts';
import { shadowsAmongTests } from './included-pins.ts';
import { isInstruction } from './instructions.ts';
import { leadsOut, namedOutside } from './outside.ts';
import {
  isReadByBuilds,
  isPackageRecord,
  isReadByRunners,
  readFrom,
  mockedBy,
  preparesTests,
  replacesWork,
} from './newcomers.ts';
import { toolSettings } from './pin-rules.ts';
import { folderOf, isAmongOld, textOf, type TreeGround, type Trees } from './pin-tree.ts';
import { harmsTests } from './reaching.ts';
import { suspicionOf } from './suspicious.ts';

/** Stand for every manifest and for every new file; what they mean is found by comparing two trees. */
export const steeringPins: readonly Pin[] = [
  { path: '#sections', hash: 'sections', why: 'decides how the work is checked' },
  { path: '#new-files', hash: 'new-files', why: 'would steer a check' },
  { path: '#harm', hash: 'harm', why: 'would steer a check' },
];

export async function brokenBySteering(ground: TreeGround, pin: Pin, trees: Trees): Promise<BrokenPin[]> {
  if (pin.hash === 'sections') return brokenSections(ground, pin, trees);
  return pin.hash === 'harm' ? harmful(ground, trees) : newFiles(ground, pin, trees);
}

export function isSteeringPin({ path }: Pin): boolean {
  return steeringPins.some((pin) => pin.path === path);
}

/** Files of the work that turn against the tests, or stand on what is not here, as they did not before. */
async function harmful(ground: TreeGround, { base, now }: Trees): Promise<BrokenPin[]> {
  const broken: BrokenPin[] = [];
  for (const [path, file] of now) {
    const isLink = file.startsWith('120000');
    if (base.get(path) === file || !(isLink || isCode.test(path))) continue;
    const after = await textOf(ground, now, path);
    // Read only where something is found: each reading starts git.
    const isSuspect = isLink || codeHarm(path, '', after) !== null || suspicionOf(path, after) !== null;
    if (!isSuspect) continue;
    const before = await textOf(ground, base, path);
    const change = base.has(path) ? 'changed' : 'added';
    const why = isLink ? linkHarm(path, after) : codeHarm(path, before, after);
    const suspicion = isLink || suspicionOf(path, before) !== null ? null : suspicionOf(path, after);
    if (why !== null) broken.push({ path, change, why });
    else if (suspicion !== null) broken.push({ path, change, why: suspicion, isSuspicion: true });
  }
  return broken;
}

const isCode = /\.([cm]?[jt]sx?|py|rb|php|go|rs|java|kt|cs|sh)$/;

function linkHarm(path: string, target: string): string | null {
  return leadsOut(path, target) ? 'leads out of the repository' : null;
}

function codeHarm(path: string, before: string, after: string): string | null {
  const [outside] = namedOutside(before, after);
  if (outside !== undefined) return `stands on ${outside}, which is not in the repository`;
  return harmsTests(path, before) === null ? harmsTests(path, after) : null;
}

async function newFiles(ground: TreeGround, { why }: Pin, { base, now }: Trees): Promise<BrokenPin[]> {
  const broken: BrokenPin[] = [];
  for (const path of now.keys()) {
    if (base.has(path)) continue;
    const reason = nameReason(path, base) ?? (await textReason(ground, path, { base, now }));
    if (reason !== null)
      broken.push({ path, change: 'added', why: notThere(path, reason === '' ? why : reason) });
  }
  for (const path of shadowsAmongTests({ base, now }))
    broken.push({ path, change: 'added', why: notThere(path, 'is imported instead of a module of Python') });
  return broken;
}

function nameReason(path: string, base: ReadonlyMap<string, string>): string | null {
  const name = posix.basename(path);
  if (isInstruction(path)) return 'instructs whoever reviews the work';
  if (isReadByBuilds(path)) return '';
  if (isReadByRunners(path)) return hasTestsBelow(readFrom(path), base) ? '' : null;
  const family = toolSettings.find((each) => each.test(name));
  if (family === undefined) return null;
  const isThere = [...base.keys()].some((each) => family.test(posix.basename(each)));
  return isThere && isAmongOld(path, base) ? '' : null;
}

async function textReason(ground: TreeGround, path: string, { base, now }: Trees): Promise<string | null> {
  if (isPackageRecord(path) && hasTestsBelow('', base))
    return (await textOf(ground, now, path)).includes('pytest11') ? 'is a plugin of pytest' : null;
  if (!isTest(path)) return null;
  const mock = mockedBy(path);
  if (mock !== null) {
    const isDependency = (await textOf(ground, base, mock.manifest)).includes(`"${mock.name}"`);
    return isDependency ? `takes the place of ${mock.name} in every test` : null;
  }
  const isPython = path.endsWith('.py') && hasTestsBelow('', base);
  if (!isPython && !hasTestsBelow(path, base)) return null;
  const text = await textOf(ground, now, path);
  const isOwn = (module: string): boolean => isModule(module, now);
  if (replacesWork(path, text, isOwn)) return 'puts something else in the place of the work, for all tests';
  const isSteering = hasTestsBelow(path, base) && preparesTests(path, text);
  return isSteering ? 'decides about other tests than its own' : null;
}

function isModule(name: string, files: ReadonlyMap<string, string>): boolean {
  const path = name.replaceAll('.', '/');
  const isFile = new RegExp(String.raw`(^|/)${path}(\.py|/__init__\.py)$`);
  return [...files.keys()].some((each) => isFile.test(each) && !isTest(each));
}

function hasTestsBelow(path: string, base: ReadonlyMap<string, string>): boolean {
  const folder = folderOf(path);
  return [...base.keys()].some((each) => each.startsWith(folder) && isTest(each));
}
