// One entry of `notify` in config.jsonc.
import { z } from 'zod';
import { notificationKinds } from '#kernel/notification.ts';
import { notifyProblem } from './notify.ts';
import { duration, environment, text } from './schema-parts.ts';

export const notify = z.union([
  text.pipe(z.enum(['terminal', 'desktop'])),
  z
    .strictObject({
      to: z.enum(['terminal', 'desktop', 'command', 'webhook']),
      on: z.array(z.enum(notificationKinds)).optional().describe('Only these; all where left out'),
      after: duration.optional().describe('Not in the first time of a run'),
      timeout: duration.optional().describe('Of one try'),
      sign: z.enum(['bell', 'osc9', 'both']).optional(),
      command: text.optional().describe('Gets the notification as JSON on its standard input'),
      env: environment.optional(),
      url: text.optional().describe('A secret: better in a variable'),
      urlEnv: text.optional().describe('Name of the variable that holds the address'),
      tokenEnv: text.optional().describe('Name of a variable whose value is sent as bearer token'),
      format: z.enum(['json', 'slack', 'ntfy']).optional(),
    })
    .superRefine((table, context) => {
      const problem = notifyProblem(table);
      if (problem !== null) context.addIssue({ code: 'custom', message: `this entry ${problem}` });
    }),
]);
