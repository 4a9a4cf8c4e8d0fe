// Explains why a due time was detected late.
import { uptime } from 'node:os';

/** Milliseconds that this machine has slept since boot: only one of the two clocks runs during sleep. */
function sleptMs(): number {
  return Math.max(0, uptime() * 1000 - Number(process.hrtime.bigint() / 1_000_000n));
}

/** `known`: the reason found by the waiting process that started this one. */
export function createWhyLate(known: string | null): (lateMs: number, isResident: boolean) => string {
  const sleptBefore = sleptMs();
  return (lateMs, isResident) => {
    if (isResident) {
      const isSlept = sleptMs() - sleptBefore >= lateMs / 2;
      return isSlept ? 'the machine slept' : 'the clock was set forward, or the machine was stopped';
    }
    if (known !== null) return known;
    return uptime() * 1000 < lateMs ? 'the machine was off' : 'no untildone process was running';
  };
}
