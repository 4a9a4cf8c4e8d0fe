// `loops` in config.jsonc.
import { z } from 'zod';
import { count, flag } from './schema-parts.ts';

export const loops = z.strictObject({
  enabled: flag,
  enforced: flag,
  blockExitUntilComplete: flag,
  requireVerification: flag,
  blockOnSkip: flag,
  maxRetries: count.optional(),
  maxIterations: count.optional(),
  commitEvery: count.optional(),
  pauseBetweenScenarios: flag,
  autoInferVerification: flag,
  fallbackToManual: flag,
  suggestBrowserTests: flag,
});
