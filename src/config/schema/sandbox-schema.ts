// `sandbox` in config.jsonc.
import { z } from 'zod';
import { text } from '#tasks/criteria/check-schema.ts';

const path = text.regex(/^(\/|~(\/|$)|[A-Za-z]:)/, 'must be an absolute path, or begin with ~/');
const host = text.regex(
  /^(\*\.)?[\w.-]+(:\d{1,5})?$|^\[[\da-fA-F:]+\](:\d{1,5})?$/,
  'must be host, host:port or *.domain',
);

export const sandbox = z.strictObject({
  use: z.enum(['auto', 'bubblewrap', 'srt', 'none']).optional().describe('auto: use what this machine has'),
  required: z.boolean().optional().describe('Refuse a run without a sandbox; default: true'),
  allowRead: z.array(path).optional().describe('Further paths to show'),
  denyRead: z.array(path).optional().describe('Paths to hide'),
  allowWrite: z.array(path).optional().describe('Paths to write: caches, the login folder of an agent'),
  allowHosts: z.array(host).optional().describe('Further hosts: host, host:port, *.domain'),
});
