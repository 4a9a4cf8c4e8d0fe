// The cost of a run in one sandbox mode: gap, start, end, processor time and memory.
import type { CpuMeter, CpuMeterSearch } from '../cpu-time.ts';
import { median, sizeAt } from '../measure.ts';
import type { Limits, Line } from '../measure.ts';
import type { SandboxMode } from '../program.ts';
import { gapsOf } from './bed.ts';
import type { Bed, Session } from './bed.ts';
import { checksByHandMs, runAttempts, runLoop, runToCompletion } from './runs.ts';

const roundsMax = 5;
/** A short and a long run: their difference has no start and no end in it. */
const attempts = { few: 2, many: 8 };

interface Samples {
  readonly gapMs: number[];
  readonly startMs: number[];
  readonly endMs: number[];
  readonly peakMb: number[];
  readonly cpuMs: number[];
}

/** Measured in turns with the modes, so that a busy machine slows both. */
interface RawSamples {
  readonly gapMs: number[];
  readonly checksMs: number[];
  readonly checksTwiceMs: number[];
  readonly cpuMs: number[];
}

export interface ModeBeds {
  /** A mode without a bed cannot be measured here. */
  readonly beds: readonly { readonly mode: SandboxMode; readonly bed: Bed }[];
  readonly loop: Bed;
  readonly meter: CpuMeterSearch;
  /** Why there is no bed for bubblewrap; empty if there is one. */
  readonly missing: string;
}

export async function modeLines(modeBeds: ModeBeds, scale: number): Promise<Line[]> {
  const { beds, loop, meter } = modeBeds;
  const raw: RawSamples = { gapMs: [], checksMs: [], checksTwiceMs: [], cpuMs: [] };
  const modes = beds.map((each) => ({ ...each, samples: noSamples() }));
  const options = { scale, meter: 'meter' in meter ? meter.meter : null };
  for (let round = 0; round < sizeAt(scale, roundsMax, 1); round += 1) {
    await sampleAttempts(async (count) => runLoop(loop, count, options.meter), raw, options);
    raw.checksMs.push(await checksByHandMs(loop, 1));
    raw.checksTwiceMs.push(await checksByHandMs(loop, 2));
    for (const { bed, samples } of modes) {
      const { startMs, endMs, peakMb } = await runToCompletion(bed);
      samples.startMs.push(startMs);
      samples.endMs.push(endMs);
      samples.peakMb.push(peakMb);
      await sampleAttempts((count) => runAttempts(bed, count, options.meter), samples, options);
    }
  }
  return (['none', 'bubblewrap'] as const).flatMap((mode) => {
    const samples = modes.find((each) => each.mode === mode)?.samples ?? null;
    return linesOf(mode, { samples, raw, meter, missing: modeBeds.missing });
  });
}

function noSamples(): Samples {
  return { gapMs: [], startMs: [], endMs: [], peakMb: [], cpuMs: [] };
}

/** The meter slows only the start of a run, which is not used here. */
async function sampleAttempts(
  run: (attempts: number) => Promise<readonly Session[]>,
  { gapMs, cpuMs }: Pick<Samples, 'gapMs' | 'cpuMs'>,
  { meter, scale }: { readonly meter: CpuMeter | null; readonly scale: number },
): Promise<void> {
  const few = sizeAt(scale, attempts.few, 1);
  const many = sizeAt(scale, attempts.many, few + 1);
  await run(few);
  const fewMs = meter?.readMs() ?? 0;
  gapMs.push(...gapsOf(await run(many)));
  if (meter !== null) cpuMs.push((meter.readMs() - fewMs) / (many - few));
}

interface ModeLimits {
  readonly gap: Limits;
  readonly start: Limits;
}

const limitsOf: { readonly [mode in SandboxMode]: ModeLimits } = {
  none: { gap: { gate: 5, aim: 3 }, start: { gate: 700, aim: 400 } },
  bubblewrap: { gap: { gate: 9, aim: 5 }, start: { gate: 1_000, aim: 600 } },
};
const endLimits: Limits = { gate: 6, aim: 3 };
const memoryLimits: Limits = { gate: 165, aim: 140 };
/** Its limits are shares of an earlier version's time, which is not measured yet. */
const cpuLimits: Limits = {};

interface ModeResult {
  /** Null if the mode cannot be measured here. */
  readonly samples: Samples | null;
  readonly raw: RawSamples;
  readonly meter: CpuMeterSearch;
  readonly missing: string;
}

function linesOf(mode: SandboxMode, { samples, raw, meter, missing }: ModeResult): Line[] {
  const how = mode === 'none' ? 'no sandbox' : 'bubblewrap';
  const middle = (values: readonly number[] | undefined): number | null =>
    values === undefined || values.length === 0 ? null : median(values);
  const line = (name: string, limits: Limits, numbers: Pick<Line, 'measured' | 'raw' | 'unit'>): Line => ({
    name: `${name} (${how})`,
    ...limits,
    ...numbers,
    ...(numbers.measured === null ? { note: noteOf(samples, meter, missing) } : {}),
  });
  const started = middle(samples?.startMs);
  return [
    line('gap between two sessions, ten checks, against a shell loop', limitsOf[mode].gap, {
      measured: middle(samples?.gapMs),
      raw: median(raw.gapMs),
      unit: 'ms',
    }),
    line('processor time of an attempt, all processes, against a shell loop', cpuLimits, {
      measured: middle(samples?.cpuMs),
      raw: middle(raw.cpuMs),
      unit: 'ms',
    }),
    line('start to the first session, without the checks by hand', limitsOf[mode].start, {
      measured: started === null ? null : started - median(raw.checksMs),
      raw: null,
      unit: 'ms',
    }),
    line('end of the work to completed, against the ten checks twice by hand', endLimits, {
      measured: middle(samples?.endMs),
      raw: median(raw.checksTwiceMs),
      unit: 'ms',
    }),
    line('peak memory of driver and host', memoryLimits, {
      measured: samples === null ? null : Math.max(...samples.peakMb),
      raw: null,
      unit: 'MB',
    }),
  ];
}

function noteOf(samples: Samples | null, meter: CpuMeterSearch, missing: string): string {
  return samples !== null && 'problem' in meter ? meter.problem : missing;
}
