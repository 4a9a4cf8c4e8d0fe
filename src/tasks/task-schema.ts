// Schemas of JSON task files and of a configuration's criteria. Loaded only when needed: zod takes a while.
import { z } from 'zod';
import type { DeepReadonly } from '#base/deep-readonly.ts';
import { check, text } from '#tasks/criteria/check-schema.ts';

const criterionId = text.regex(/^[\w.-]+$/, 'may hold letters, digits, ".", "_" and "-" only');
export const criteria = z.array(
  z.union([
    text,
    z.strictObject({
      id: criterionId.optional(),
      text: text.describe('What must be true, in a sentence'),
      kind: z.enum(['entry', 'exit']).optional(),
      required: z.boolean().optional(),
      when: z.enum(['attempt', 'acceptance']).optional(),
      check: z
        .union([z.literal('human'), check])
        .optional()
        .describe('Found from the text where left out'),
    }),
  ]),
);

/** The text alone, or a table. */
export type CriterionEntry = DeepReadonly<z.output<typeof criteria>>[number];

/** The check of a criterion in a plan; null: inferred from its text. */
export const planCheckSchema = z.union([z.null(), z.literal('human'), check]);

const texts = z.union([text, z.array(text)]);

/** One task of a file; the fields are those of the markdown. */
export const taskSchema = z.strictObject({
  $schema: z.string().optional(),
  id: criterionId.optional(),
  title: text.optional(),
  priority: text.optional().describe('critical, high, medium or low'),
  scope: texts.optional().describe('Files and globs of the task'),
  files: texts.optional().describe('Another name for scope'),
  description: z.string().optional(),
  criteria: criteria.optional().describe('Acceptance criteria'),
  acceptanceCriteria: criteria.optional().describe('Another name for criteria'),
  entryCriteria: criteria.optional().describe('What must hold before the first session'),
  context: z.string().optional(),
  dependsOn: texts.optional().describe('Ids of tasks that come first'),
  agent: text.optional().describe('NAME[:model] for the builder, or role=NAME[:model], …'),
  agents: z.record(text, text).optional().describe('By role'),
  domain: text.optional(),
  mayChange: texts.optional().describe('Globs of pinned files that this task may change'),
  securityCritical: z.boolean().optional().describe('Its failure stops the run'),
});

export const taskListSchema = z.array(taskSchema);
export const taskFileSchema = z.strictObject({ $schema: z.string().optional(), tasks: taskListSchema });
