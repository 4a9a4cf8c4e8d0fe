// New files among the tests that decide about tests which are not their own. Only what no honest work does. Pure.
// The attribution finds them where a check turned green; for a check that was green before the work, these rules are all there is.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';

const pins = factsOf('pins');
const readByRunners = pins.flatMap((each) => each.readByRunners ?? []);
const readByBuilds = pins.flatMap((each) => each.readByBuilds ?? []);

/** Read by a runner or an interpreter without being named, for every test at or below its folder. */
export function isReadByRunners(path: string): boolean {
  return readByRunners.some((pattern) => pattern.test(path));
}

const resources = pins.flatMap((each) => each.resources ?? []);

/** Where it has force: resources are read by every test of their module. */
export function readFrom(path: string): string {
  return resources.reduce((from, pattern) => from.replace(pattern, 'resources'), path);
}

/** Of the whole build, wherever they lie in the root. */
export function isReadByBuilds(path: string): boolean {
  const isOwn = /(^|\/)\.untildone\/config\.jsonc$/.test(path);
  return isOwn || readByBuilds.some((pattern) => pattern.test(path));
}
