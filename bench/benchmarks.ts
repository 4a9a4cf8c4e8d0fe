// Every benchmark by its name, which is the name of its file. A test compares this list with the folder.
import { attempt } from './attempt.ts';
import { campaign } from './campaign.ts';
import { driverMemory } from './driver-memory.ts';
import { durableStep } from './durable-step.ts';
import { eventCost } from './event-cost.ts';
import { flood } from './flood.ts';
import { map } from './map.ts';
import { mapAgain } from './map-again.ts';
import type { Benchmark } from './measure.ts';
import { sandboxStart } from './sandbox.ts';
import { sessionOverhead } from './session-overhead.ts';
import { startUp } from './start-up.ts';
import { verification } from './verification.ts';
import { waiting } from './waiting.ts';

export const benchmarks: { readonly [name: string]: Benchmark } = {
  'durable-step': durableStep,
  'event-cost': eventCost,
  'start-up': startUp,
  flood,
  attempt,
  verification,
  'session-overhead': sessionOverhead,
  sandbox: sandboxStart,
  'driver-memory': driverMemory,
  campaign,
  waiting,
  map,
  'map-again': mapAgain,
};
