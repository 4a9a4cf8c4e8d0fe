// `durableSteps` and `suspension` in config.jsonc.
import { z } from 'zod';
import { count, flag } from './schema-parts.ts';

const hoursMax = 8760;
const hours = z.number().min(0).max(hoursMax);
const seconds = z.number().int().min(1).max(86_400);

export const durableSteps = z.strictObject({
  enabled: flag.describe('Off: no run continues unless a person resumes it'),
  autoResume: flag.describe('Off: the same command asks before it resumes an unfinished run'),
  checkSuspensionsOnStart: flag.describe('Whether commands wake suspended runs that are due'),
  defaultMaxAttempts: count.optional().describe('Attempts per task where the preset has no limit of its own'),
});

export const suspension = z.strictObject({
  enabled: flag.describe('Off: runs cannot be suspended'),
  pollIntervalSeconds: seconds.optional().describe('Time between two polls'),
  maxPollAttempts: count.max(1_000_000).optional().describe('Polls at most'),
  pollTimeoutSeconds: seconds.optional().describe('Time limit of one poll command'),
  reminderAfterHours: hours.optional().describe('When a person is reminded of a suspended run; 0: never'),
  byAgents: z
    .strictObject({
      maxHours: z.number().min(0).max(hoursMax).optional().describe('Longest time; 0: no suspension by time'),
      perRun: z.number().int().min(0).max(1000).optional().describe('Suspensions per run; 0: none'),
    })
    .optional()
    .describe('Suspensions that agents may ask for'),
});
