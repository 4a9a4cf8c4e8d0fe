// Finds new test files that steer tests other than their own. Only cases that no honest work needs. Pure.
// Attribution finds them if a check turned green; for a check that was green before, only these rules do.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';

const pins = factsOf('pins');
const readByRunners = pins.flatMap((each) => each.readByRunners ?? []);
const readByBuilds = pins.flatMap((each) => each.readByBuilds ?? []);

/** A runner or an interpreter reads it unnamed, for every test at or below its folder. */
export function isReadByRunners(path: string): boolean {
  return readByRunners.some((pattern) => pattern.test(path));
}

const resources = pins.flatMap((each) => each.resources ?? []);

/** The folder of its effect: every test of a module reads the module's resources. */
export function readFrom(path: string): string {
  return resources.reduce((from, pattern) => from.replace(pattern, 'resources'), path);
}

/** For the whole build, anywhere in the root. */
export function isReadByBuilds(path: string): boolean {
  const isOwn = /(^|\/)\.untildone\/config\.jsonc$/.test(path);
  return isOwn || readByBuilds.some((pattern) => pattern.test(path));
}
