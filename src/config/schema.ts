// What a person may write into config.jsonc. Loaded only when there is something to check: zod takes a while.
import { z } from 'zod';
import { parseDuration } from './duration.ts';

const duration = z
  .union([z.string(), z.number()])
  .refine((value) => parseDuration(value) !== null, {
    error: 'must be a duration such as "90s", "20m", "2h", or a number of seconds',
  })
  .meta({ description: 'A duration: "90s", "20m", "2h", or a number of seconds' });
const count = z.number().int().positive();
const text = z.string().min(1);

const environment = z
  .union([z.array(text), z.record(text, z.string())])
  .meta({ description: 'Names of variables to pass on, or names with their values' });

const agent = z.looseObject({
  driver: text.describe('claude, codex, openai, acp, command or scripted'),
  env: environment.optional(),
});

const role = z.strictObject({
  agent: text.optional().describe('Name of an agent below "agents"'),
  model: text.optional(),
  prompt: text.optional().describe('Path of a prompt template, from the folder of this file'),
});

const task = z.strictObject({
  agents: z
    .record(text, text)
    .optional()
    .describe('By role, as after --agent: the name of an agent, or name:model'),
});

const check = z.union([
  text,
  z.strictObject({
    id: text.regex(/^[\w.-]+$/, 'may hold letters, digits, ".", "_" and "-" only').optional(),
    run: text.describe('A command; it passes by exit 0'),
    cwd: text.optional().describe('From the folder where the run is started'),
    timeout: duration.optional(),
    when: z.enum(['attempt', 'acceptance']).optional(),
    required: z.boolean().optional(),
  }),
]);

const flag = z.boolean().optional();
const loops = z.strictObject({
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

const criterionId = text.regex(/^[\w.-]+$/, 'may hold letters, digits, ".", "_" and "-" only');
const criteria = z.array(
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

export const taskFileSchema = z.strictObject({
  $schema: z.string().optional(),
  id: criterionId.optional(),
  title: text.optional(),
  description: text.optional(),
  criteria,
});

const reviewer = z.strictObject({
  name: text.regex(/^[A-Za-z][\w-]*$/, 'may hold letters, digits, "_" and "-" only'),
  agent: text.optional().describe('NAME[:model], as with --agent'),
  model: text.optional(),
  prompt: text.optional().describe('Path of a prompt template, from the folder of this file'),
});

const price = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative().optional(),
  cacheWrite: z.number().nonnegative().optional(),
});

const pattern = text.refine(isPattern, { error: 'must be a regular expression' });

export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  preset: text.optional(),
  agents: z.record(text, agent).optional(),
  agent: z.strictObject({ env: environment.optional() }).optional().describe('For every agent'),
  roles: z.record(text, role).optional(),
  tasks: z.record(text, task).optional().describe('By id, for what only one task needs'),
  checks: z.array(check).optional(),
  reviewers: z.array(reviewer).optional().describe('Look at the work side by side; any fail fails'),
  criteria: criteria
    .optional()
    .describe('What must be true, in sentences; each with its own check or without'),
  loops: loops.optional().describe('For the preset criteria'),
  proposals: z
    .enum(['person', 'additions'])
    .optional()
    .describe('Who accepts criteria that an agent proposes: a person, or nobody for new ones'),
  check: z
    .strictObject({ env: environment.optional(), timeout: duration.optional() })
    .optional()
    .describe('For every check'),
  budget: z
    .strictObject({
      sessions: count.optional(),
      attempts: count.optional(),
      hours: z.number().positive().optional(),
      usd: z.number().positive().optional(),
      tokens: count.optional(),
      sessionUsd: z.number().positive().optional(),
      sessionTokens: count.optional(),
    })
    .optional(),
  session: z
    .strictObject({ wall: duration.optional(), idle: duration.optional(), grace: duration.optional() })
    .optional(),
  pay: z
    .enum(['login', 'key'])
    .optional()
    .describe('By what to pay for agents that have both a login and a key'),
  maxLoops: count.optional(),
  cooldown: duration.optional(),
  knownRed: z.union([z.literal('all'), z.array(text)]).optional(),
  mayChange: z.array(text).optional(),
  setup: z
    .union([text, z.literal(false)])
    .optional()
    .describe('Installs dependencies; false for nothing'),
  copy: z.array(text).optional(),
  protectedBranches: z.array(text).optional(),
  inPlace: z.boolean().optional(),
  prices: z
    .record(text, price)
    .optional()
    .describe('USD per million tokens by model; a trailing * matches every name that begins so'),
  usageLimits: z
    .array(pattern)
    .optional()
    .describe('Wordings in which a provider says that a limit is reached'),
  harnessDir: text.optional(),
  planDir: text.optional(),
});

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
