// Kinds of values that stand in many places of config.jsonc.
import { z } from 'zod';
import { parseDuration } from './duration.ts';

export const duration = z
  .union([z.string(), z.number()])
  .refine((value) => parseDuration(value) !== null, {
    error: 'must be a duration such as "90s", "20m", "2h", or a number of seconds',
  })
  .meta({ description: 'A duration: "90s", "20m", "2h", or a number of seconds' });
export const count = z.number().int().positive();
export const text = z.string().min(1);

export const environment = z
  .union([z.array(text), z.record(text, z.string())])
  .meta({ description: 'Names of variables to pass on, or names with their values' });
