// The schema of `routing` and `usageLimit`: which agents build what, and how long a run waits for a provider.
import { z } from 'zod';
import { duration, text } from '#tasks/criteria/check-schema.ts';

export const routing = z
  .strictObject({
    domains: z.record(text, z.union([text, z.array(text).min(1)])).optional(),
    fallbacks: z.array(text).optional(),
    onUsageLimit: z
      .enum(['fallback', 'wait'])
      .optional()
      .describe('While a builder waits for a usage limit: the next builder works, or none'),
  })
  .describe('Builders by domain of a task, and who takes over after a failed attempt, as after --agent');

const pattern = text.refine(isPattern, { error: 'must be a regular expression' });

export const usageLimit = z
  .strictObject({
    maxWait: duration.optional().describe('The longest wait; a later reset parks the run'),
    patterns: z.array(pattern).optional().describe('More messages that report a usage limit'),
  })
  .describe('Usage limits of providers');

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
