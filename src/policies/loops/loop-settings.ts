// The default settings of the loop over criteria.
import type { Run } from '#kernel/fold/run.ts';
import type { LoopSettings } from '#kernel/model/config.ts';

export const defaultLoops: LoopSettings = {
  enabled: true,
  enforced: true,
  blockExitUntilComplete: true,
  requireVerification: true,
  blockOnSkip: true,
  maxRetries: 5,
  maxIterations: 20,
  commitEvery: 3,
  pauseBetweenScenarios: false,
  autoInferVerification: true,
  fallbackToManual: true,
  suggestBrowserTests: true,
};

export function loopsOf(run: Run): LoopSettings {
  return run.config.policy.loops ?? defaultLoops;
}
