// `sandbox` in config.jsonc.
import { z } from 'zod';
import { text } from '#tasks/criteria/check-schema.ts';

const path = text.regex(/^(\/|~(\/|$)|[A-Za-z]:)/, 'must be an absolute path, or begin with ~/');
const host = text.regex(
  /^(\*\.)?[\w.-]+(:\d{1,5})?$|^\[[\da-fA-F:]+\](:\d{1,5})?$/,
  'must be host, host:port or *.domain',
);

export const sandbox = z.strictObject({
  use: z.enum(['auto', 'bubblewrap', 'srt', 'none']).optional().describe('auto takes what this machine has'),
  required: z
    .boolean()
    .optional()
    .describe('Whether a run without one is refused; it is, unless this is false'),
  allowRead: z.array(path).optional().describe('Paths to show beside the workspace and the tools'),
  denyRead: z.array(path).optional().describe('Paths to hide, whatever else shows them'),
  allowWrite: z.array(path).optional().describe('Paths to write: caches, the login folder of an agent'),
  allowHosts: z
    .array(host)
    .optional()
    .describe('Beside the model and the registries: host, host:port, *.domain'),
});
