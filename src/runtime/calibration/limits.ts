/** Calibration doubles or triples a check's time; a longer check is worth more run once than calibrated. */
const checkMsMax = 10 * 60_000;

/** For all runs of one check together: otherwise a check of nine minutes would run for hours. */
export const calibrationMsMax = 30 * 60_000;

/** Why a check is too slow to run again; null if it is quick enough. */
export function tooSlow(command: string, durationMs: number): string | null {
  return durationMs <= checkMsMax ? null : `\`${command}\` takes longer than 10 minutes: not calibrated.`;
}
