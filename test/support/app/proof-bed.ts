// A finished run in a temporary repository, made once and copied for each test.
import { cpSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as small from '#app/doctor/small-run.ts';
import type { Run } from '#kernel/fold/run.ts';

export { builds, passes } from '#app/doctor/small-run.ts';

export interface Bed extends small.Bed {
  /** A copy that shares nothing with this one. */
  copy(): Bed;
}

export interface Life extends Bed {
  readonly run: Run;
}

export async function liveThrough(order: small.LifeOrder): Promise<Life> {
  return copied(await small.liveThrough(order));
}

function copied<Found extends small.Bed>(bed: Found): Found & Bed {
  const copy = (): Bed => {
    const to = realpathSync(mkdtempSync(join(tmpdir(), 'untildone-proof-')));
    cpSync(bed.folder, to, { recursive: true, verbatimSymlinks: true });
    return copied(small.makeBed(to));
  };
  return { ...bed, copy };
}

/** Remembers what has to be removed in the end. */
export function keepBeds(): { keep<T extends Bed>(bed: T): T; remove(): void } {
  const beds: Bed[] = [];
  return {
    keep(bed) {
      beds.push(bed);
      return bed;
    },
    remove() {
      for (const bed of beds) bed.remove();
    },
  };
}
