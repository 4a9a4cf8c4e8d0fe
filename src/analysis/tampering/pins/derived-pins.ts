// Finds changes that steer a check without touching a pinned file: manifest parts, and new files.
import { posix } from 'node:path';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import type { NewFile } from '#analysis/ecosystems/pin-facts.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import type { BrokenPin, Pin } from '#kernel/model/criterion.ts';
import { notThere } from './not-there.ts';
import { brokenSections } from './broken-sections.ts';
import { shadowsAmongTests } from './included-pins.ts';
import { isInstruction } from './instruction-files.ts';
import { isReadByBuilds, isReadByRunners, readFrom } from '#analysis/tampering/new-test-files.ts';
import { toolSettings } from './pin-rules.ts';
import { folderOf, isAmongOld, textOf, treeChanges, type TreeReader, type Trees } from './tree-reader.ts';
import { harmsTests, suspicionOf } from '#analysis/tampering/suspicious.ts';

const steering = factsOf('pins').flatMap((each) => each.steers ?? []);

/** Cover every manifest and every new file; comparing two trees shows their effect. */
export const steeringPins: readonly Pin[] = [
  { path: '#sections', hash: 'sections', why: 'decides how the work is checked' },
  { path: '#new-files', hash: 'new-files', why: 'would steer a check' },
  { path: '#harm', hash: 'harm', why: 'would steer a check' },
];

/** Facts about the machine: links that lead out of the tree, and machine files that a text newly names. */
export interface Outside {
  readonly leadsOut: (path: string, target: string) => boolean;
  readonly namedOutside: (before: string, after: string) => readonly string[];
}

export async function brokenBySteering(
  read: TreeReader,
  pin: Pin,
  trees: Trees,
  outside: Outside,
): Promise<BrokenPin[]> {
  if (pin.hash === 'sections') return brokenSections(read, pin, trees);
  return pin.hash === 'harm' ? harmful(read, trees, outside) : newFiles(read, pin, trees);
}

export function isSteeringPin({ path }: Pin): boolean {
  return steeringPins.some((pin) => pin.path === path);
}

/** Files of the work that newly harm the tests, or newly depend on something outside. */
async function harmful(read: TreeReader, { base, now }: Trees, outside: Outside): Promise<BrokenPin[]> {
  const broken: BrokenPin[] = [];
  for (const path of treeChanges({ base, now }).present) {
    const isLink = now.get(path)?.startsWith('120000') === true;
    if (!(isLink || isCode.test(path))) continue;
    const after = await textOf(read, now, path);
    // Read only after a finding: each read starts git.
    const isSuspect =
      isLink || codeHarm(path, ['', after], outside) !== null || suspicionOf(path, after) !== null;
    if (!isSuspect) continue;
    const before = await textOf(read, base, path);
    const change = base.has(path) ? 'changed' : 'added';
    const why = isLink ? linkHarm(path, after, outside) : codeHarm(path, [before, after], outside);
    const suspicion = isLink || suspicionOf(path, before) !== null ? null : suspicionOf(path, after);
    if (why !== null) broken.push({ path, change, why });
    else if (suspicion !== null) broken.push({ path, change, why: suspicion, isSuspicion: true });
  }
  return broken;
}

const isCode = /\.([cm]?[jt]sx?|py|rb|php|go|rs|java|kt|cs|sh)$/;

function linkHarm(path: string, target: string, { leadsOut }: Outside): string | null {
  return leadsOut(path, target) ? 'leads out of the repository' : null;
}

function codeHarm(
  path: string,
  [before, after]: readonly [before: string, after: string],
  { namedOutside }: Outside,
): string | null {
  const [outside] = namedOutside(before, after);
  if (outside !== undefined) return `stands on ${outside}, which is not in the repository`;
  return harmsTests(path, before) === null ? harmsTests(path, after) : null;
}

async function newFiles(read: TreeReader, { why }: Pin, { base, now }: Trees): Promise<BrokenPin[]> {
  const broken: BrokenPin[] = [];
  for (const path of treeChanges({ base, now }).added) {
    const reason = nameReason(path, base) ?? (await textReason(read, path, { base, now }));
    if (reason !== null)
      broken.push({ path, change: 'added', why: notThere(path, reason === '' ? why : reason) });
  }
  return [...broken, ...shadowsAmongTests({ base, now })];
}

function nameReason(path: string, base: ReadonlyMap<string, string>): string | null {
  const name = posix.basename(path);
  if (isInstruction(path)) return 'instructs the reviewers of the work';
  if (isReadByBuilds(path)) return '';
  if (isReadByRunners(path)) return hasTestsBelow(readFrom(path), base) ? '' : null;
  const family = toolSettings.find((each) => each.test(name));
  if (family === undefined) return null;
  const isThere = [...base.keys()].some((each) => family.test(posix.basename(each)));
  return isThere && isAmongOld(path, base) ? '' : null;
}

async function textReason(read: TreeReader, path: string, { base, now }: Trees): Promise<string | null> {
  const file: NewFile = {
    path,
    isTest,
    text: () => textOf(read, now, path),
    textAtBase: (other) => textOf(read, base, other),
    now,
    hasTestsBelow: (other) => hasTestsBelow(other, base),
  };
  for (const steers of steering) {
    const reason = await steers(file);
    if (reason !== null) return reason;
  }
  return null;
}

function hasTestsBelow(path: string, base: ReadonlyMap<string, string>): boolean {
  const folder = folderOf(path);
  return [...base.keys()].some((each) => each.startsWith(folder) && isTest(each));
}
