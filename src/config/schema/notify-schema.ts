// One entry of `notify` in config.jsonc.
import { z } from 'zod';
import type { DeepReadonly } from '#base/deep-readonly.ts';
import { notificationKinds } from '#kernel/model/notification.ts';
import { notifyProblem } from './notify-table.ts';
import { duration, text } from '#tasks/criteria/check-schema.ts';
import { environment } from './schema-parts.ts';

const table = z.strictObject({
  to: z.enum(['terminal', 'desktop', 'command', 'webhook']),
  on: z.array(z.enum(notificationKinds)).optional().describe('Only these events; default: all'),
  after: duration.optional().describe('Not in the first minutes of a run'),
  timeout: duration.optional().describe('Time limit of one try'),
  method: z.enum(['bell', 'osc9', 'both']).optional().describe('How the terminal notifies'),
  command: text.optional().describe('Gets the notification as JSON on its standard input'),
  env: environment.optional(),
  url: text.optional().describe('A secret: better in a variable'),
  urlEnv: text.optional().describe('Name of the variable that holds the address'),
  tokenEnv: text.optional().describe('Name of a variable whose value is sent as bearer token'),
  format: z.enum(['json', 'slack', 'ntfy']).optional(),
});

/** `notifyProblem` checks which keys go together. */
export type NotifyTable = DeepReadonly<z.output<typeof table>>;

export const notify = z.union([
  text.pipe(z.enum(['terminal', 'desktop'])),
  table.superRefine((value, context) => {
    const problem = notifyProblem(value);
    if (problem !== null) context.addIssue({ code: 'custom', message: `this entry ${problem}` });
  }),
]);
