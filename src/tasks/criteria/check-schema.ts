// The schema of an entry of `checks` in config.jsonc; `problemOf` checks which keys fit together.
import { z } from 'zod';
import type { DeepReadonly } from '#base/deep-readonly.ts';
import { parseDuration } from '#base/duration.ts';
import { problemOf } from './check-table.ts';

export const text = z.string().min(1);
export const duration = z
  .union([z.string(), z.number()])
  .refine((value) => parseDuration(value) !== null, {
    error: 'must be a duration such as "90s", "20m", "2h", or a number of seconds',
  })
  .meta({ description: 'A duration: "90s", "20m", "2h", or a number of seconds' });

const table = z.strictObject({
  id: text.regex(/^[\w.-]+$/, 'may hold letters, digits, ".", "_" and "-" only').optional(),
  when: z.enum(['attempt', 'acceptance']).optional(),
  required: z.boolean().optional(),
  cwd: text.optional().describe('From the folder where the run is started'),
  timeout: duration.optional(),
  parallel: z.boolean().optional().describe('Whether its program may run beside others in one checkout'),
  run: text.optional().describe('A command; it passes by exit 0'),
  gate: z.enum(['tests', 'lint', 'types', 'build']).optional().describe('What the command is for'),
  file: text.optional().describe('A file that must be there'),
  exists: z.boolean().optional().describe('False: the file must not be there'),
  contains: text.optional().describe('A text that the file or the answer must hold'),
  json: text.optional().describe('A path into the file, such as scripts.test'),
  equals: z.json().optional().describe('What must stand at that path'),
  symbol: text.optional().describe('A name that the source must define'),
  what: z.enum(['function', 'class', 'type', 'component', 'variable', 'export', 'any', 'use']).optional(),
  in: text.optional().describe('A file, folder or glob; all source files where left out'),
  url: text.optional().describe('An address that must answer; {port} is a free port that serve gets as PORT'),
  status: z.number().int().min(100).max(599).optional(),
  serve: text.optional().describe('Starts the server for this check alone'),
  page: text.optional().describe('An address to open in a real browser'),
  selector: text.optional().describe('What must be seen on the page'),
  text: text.optional().describe('What it must show'),
  script: text.optional().describe('A module whose default export looks at a page and throws what is wrong'),
});

/** What a person may write; `problemOf` checks which keys fit together. */
export type CheckTable = DeepReadonly<z.output<typeof table>>;

/** A table, or a line as after `--check`. */
export type CheckEntry = string | CheckTable;

export const check = z.union([
  text,
  table.superRefine((value, context) => {
    const problem = problemOf(value);
    if (problem !== null) context.addIssue({ code: 'custom', message: `this check ${problem}` });
  }),
]);
