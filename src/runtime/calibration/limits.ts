/** Calibration doubles or triples the time of a check; a longer one is worth more to its owner run once than tested. */
const checkMsMax = 10 * 60_000;

/** For all runs of one check together: a check of nine minutes would else be run for hours. */
export const calibrationMsMax = 30 * 60_000;

/** Why a check is not run again, by how long it took; null where it is quick enough. */
export function tooSlow(command: string, durationMs: number): string | null {
  return durationMs <= checkMsMax ? null : `\`${command}\` takes longer than 10 minutes: not calibrated.`;
}
