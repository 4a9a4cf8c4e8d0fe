// Measures what Untildone adds to its agent and its checks, in both sandbox modes, against a bare shell loop.
import { findBubblewrap } from '#adapters/sandbox/bubblewrap/find-bubblewrap.ts';
import { makeBed } from './attempt/bed.ts';
import type { Bed } from './attempt/bed.ts';
import { gitLines } from './attempt/git-starts.ts';
import { growthLines } from './attempt/growth.ts';
import { modeLines } from './attempt/one-mode.ts';
import { findCpuMeter } from './cpu-time.ts';
import { inFolder } from './measure.ts';
import type { Benchmark } from './measure.ts';
import type { SandboxMode } from './program.ts';

export const attempt: Benchmark = ({ folder, program, scale }) =>
  inFolder(folder, async (place) => {
    const found = findBubblewrap();
    const missing = 'problem' in found ? found.problem : null;
    const bed = (name: string, sandbox: SandboxMode): Bed =>
      makeBed({ place, name, program, sandbox, scale });
    const loop = bed('loop', 'none');
    const modes: readonly SandboxMode[] = missing === null ? ['none', 'bubblewrap'] : ['none'];
    const beds = modes.map((mode) => ({ mode, bed: bed(mode, mode) }));
    const meter = findCpuMeter(place);
    try {
      return [
        ...(await modeLines({ beds, loop, meter, missing: missing ?? '' }, scale)),
        ...(await gitLines('none', { folder: place, program, scale }, null)),
        ...(await gitLines('bubblewrap', { folder: place, program, scale }, missing)),
        ...(await growthLines({ folder: place, program, scale })),
      ];
    } finally {
      if ('meter' in meter) meter.meter.close();
    }
  });
