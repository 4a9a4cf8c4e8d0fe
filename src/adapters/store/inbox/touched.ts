// Reads `touch .untildone/control/pause` and `stop`: controls that need no program, for every run here.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Control, ControlRequest } from '#kernel/events/control.ts';

const controls: { readonly [name in 'pause' | 'stop']: Control } = {
  pause: { kind: 'pause', why: 'control/pause was touched' },
  stop: { kind: 'stop', now: false, why: 'control/stop was touched' },
};

/**
 * One request per touch after `since`. The file stays, because other runs must see it too. The id consists of
 * name and time, so that a run takes each touch once.
 */
export async function touchedControls(folder: string, since: number): Promise<readonly ControlRequest[]> {
  const found: { readonly at: bigint; readonly request: ControlRequest }[] = [];
  for (const [name, control] of Object.entries(controls)) {
    const file = await stat(join(folder, name), { bigint: true }).catch(() => null);
    if (file === null || Number(file.mtimeNs) / 1e6 <= since) continue;
    const request = { id: `touch-${name}-${file.mtimeNs}`, by: `touch ${join(folder, name)}`, control };
    found.push({ at: file.mtimeNs, request });
  }
  return found.sort((a, b) => (a.at < b.at ? -1 : 1)).map((one) => one.request);
}
