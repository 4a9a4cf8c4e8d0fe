// The schema of config.jsonc. Loaded only if there is something to check: zod loads slowly.
import { z } from 'zod';
import { check, duration, text } from '#tasks/criteria/check-schema.ts';
import { criteria } from '#tasks/task-schema.ts';
import { loops } from './loops-schema.ts';
import { notify } from './notify-schema.ts';
import { renamedValue } from './renamed.ts';
import { routing, usageLimit } from './routing-schema.ts';
import { sandbox } from './sandbox-schema.ts';
import { commitMessage, count, environment } from './schema-parts.ts';
import { durableSteps, suspension } from './waiting-schema.ts';

const agent = z.looseObject({
  driver: text.describe('claude, codex, openai, acp, command or scripted'),
  env: environment.optional(),
  verdicts: z.literal(true).optional().describe('A plain command that prints verdicts, and so may review'),
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

export const heldOutSchema = z.array(
  z.union([
    check,
    z.strictObject({
      check,
      files: z
        .record(text, text)
        .optional()
        .describe('Put into the checkout for this check alone: path there → file beside this one'),
    }),
  ]),
);

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

export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  preset: text.optional(),
  agents: z.record(text, agent).optional(),
  agent: z.strictObject({ env: environment.optional() }).optional().describe('For every agent'),
  roles: z.record(text, role).optional(),
  tasks: z.record(text, task).optional().describe('By id, for what only one task needs'),
  checks: z.array(check).optional(),
  reviewers: z.array(reviewer).optional().describe('Review the work in parallel; one fail is enough'),
  verifier: z.boolean().optional().describe('False: no verifier'),
  criteria: criteria.optional().describe('Criteria as sentences, each with or without a check'),
  loops: loops.optional().describe('For the preset criteria'),
  durableSteps: durableSteps.optional().describe('How unfinished runs continue'),
  suspension: suspension.optional().describe('Runs that wait for a time, a command, a file or a person'),
  actions: z
    .strictObject({
      mode: z
        .enum(['auto', 'interactive'])
        .optional()
        .describe('Who chooses the next action: the loop or a person'),
      maxIterations: count.optional().describe('Turns of the agent that give a result'),
      turnTimeout: duration.optional().describe('Time of one turn; then the agent is asked to wrap up'),
    })
    .optional()
    .describe('For the preset actions'),
  queue: z
    .strictObject({
      onFailure: z
        .enum(['continue', 'stop'])
        .optional()
        .describe('What a failed task means for those that do not depend on it'),
      crashRetries: z
        .number()
        .int()
        .min(0)
        .max(10)
        .optional()
        .describe('Sessions without a result that are begun again, in a row'),
    })
    .optional()
    .describe('For the preset queue'),
  proposals: z
    .enum(['person', 'additions'])
    .optional()
    .describe('Who accepts criteria that an agent proposes; new ones may need no person'),
  check: z
    .strictObject({
      env: environment.optional(),
      timeout: duration.optional(),
      flaky: z
        .strictObject({
          retries: z.number().int().min(0).max(20).optional().describe('Repetitions of a failing check'),
          passes: count.optional().describe('Passes that make up for failures on one tree'),
          runs: z
            .number()
            .int()
            .min(1)
            .max(1000)
            .optional()
            .describe('Runs of a check that turned green, at the acceptance; 1: no repetition'),
          within: duration.optional().describe('Time limit of these runs'),
        })
        .optional()
        .describe('How often checks are repeated, and when a flaky check passes'),
    })
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
      warnPercent: z
        .number()
        .min(1)
        .max(100)
        .optional()
        .describe('Share of a limit at which a warning is sent'),
    })
    .optional(),
  session: z
    .strictObject({
      timeout: duration.optional().describe('Time limit of a session'),
      idleTimeout: duration.optional().describe('Time limit without any output'),
      grace: duration.optional().describe('Time to finish after a limit is reached'),
    })
    .optional(),
  notify: z.array(notify).optional().describe('Where notifications are sent'),
  pay: z.enum(['login', 'key']).optional().describe('How to pay for agents that have both a login and a key'),
  maxLoops: count.optional(),
  cooldown: duration.optional(),
  knownRed: z.union([z.literal('all'), z.array(text)]).optional(),
  commit: z
    .strictObject({ message: commitMessage.optional() })
    .optional()
    .describe('How the commits of a run are named'),
  preCommitHook: z.boolean().optional().describe("Whether the repository's own pre-commit hook must pass"),
  heldOut: heldOutSchema.optional().describe('Checks that no agent sees; not in a file of the repository'),
  mayChange: z.array(text).optional(),
  campaign: z
    .strictObject({
      approval: z
        .enum(['person', 'none'], { error: renamedValue({ nobody: 'none' }) })
        .optional()
        .describe('Whether a person approves each plan'),
      replans: z.number().int().min(0).optional().describe('New plans after the first one'),
      planTries: count.optional().describe('Unusable answers of the architect in a row'),
      milestones: z
        .array(z.number().min(1).max(100))
        .optional()
        .describe('Percentages of the tasks at which drift is checked'),
      mapTokens: count.optional(),
      architectSees: z.enum(['map', 'files']).optional(),
      onStuck: z
        .enum(['ask', 'end'])
        .optional()
        .describe('When no task can continue: wait for a person, or end'),
      constraints: text.optional().describe('Constraints for every plan'),
    })
    .optional()
    .describe('For the preset campaign'),
  routing: routing.optional(),
  usageLimit: usageLimit.optional(),
  stuck: z
    .strictObject({ max: z.number().int().min(0).optional() })
    .optional()
    .describe('Similar failed attempts in a row before a task fails; 0: no limit'),
  acceptance: z
    .strictObject({
      calibration: z
        .enum(['auto', 'off'])
        .optional()
        .describe('Whether checks are tested with planted failures'),
    })
    .optional()
    .describe('For the last checks of a run, on clean checkouts'),
  acceptReview: z.boolean().optional().describe("Whether a reviewer's pass alone completes a run"),
  tamper: z
    .strictObject({
      acceptedBy: z
        .enum(['person', 'reviewer'])
        .optional()
        .describe('Who may accept a change to a pinned file'),
    })
    .optional(),
  sandbox: sandbox.optional().describe('Sandbox for agents and checks'),
  setup: z
    .union([text, z.literal(false)])
    .optional()
    .describe('Installs dependencies; false for nothing'),
  copy: z.array(text).optional(),
  protectedBranches: z.array(text).optional(),
  inPlace: z.boolean().optional(),
  allowRoot: z.boolean().optional().describe('Let agents work as root, in containers'),
  prices: z
    .record(text, price)
    .optional()
    .describe('USD per million tokens by model; a trailing * matches every name that begins so'),
  harnessDir: text.optional(),
  planDir: text.optional(),
});
