// The options of the `acp` driver.
import { isRecord } from '#base/record.ts';
import { optionsOf, type Command, type RawOptions } from '#agents/shared/read-options.ts';

export interface AcpOptions {
  readonly command: Command;
  /** Names of the agent's own modes; null picks one from those it offers. */
  readonly mode: { readonly builder: string | null; readonly readOnly: string | null };
  readonly permissions: Permissions;
  readonly model: string | null;
  readonly env: { readonly [name: string]: string };
  /** Time to continue a session; without an answer by then, the session counts as gone. */
  readonly resumeTimeoutMs: number;
}

/** `by-role` allows everything to a builder, and only reading to a read-only role. */
export type Permissions = 'allow' | 'deny' | 'by-role';

const known = ['command', 'mode', 'permissions', 'model', 'env', 'resumeTimeoutMs'];
/** Slow agents need 20 s to start on a busy machine, and some read the whole history before they answer. */
const resumeTimeoutMsDefault = 60_000;

const { fail, readCommand, readStrings, refuseUnknown } = optionsOf('acp');

export function parseAcpOptions(options: RawOptions): AcpOptions {
  refuseUnknown(options, known);
  return {
    command: readCommand(options['command'], ' such as "my-agent --acp"'),
    mode: parseMode(options['mode'] ?? {}),
    permissions: parsePermissions(options['permissions'] ?? 'by-role'),
    model: parseName('model', options['model']),
    env: readStrings('env', options['env'] ?? {}),
    resumeTimeoutMs: parseMs('resumeTimeoutMs', options['resumeTimeoutMs'] ?? resumeTimeoutMsDefault),
  };
}

function parseMode(value: unknown): AcpOptions['mode'] {
  if (!isRecord(value)) return fail('takes "mode" as an object with "builder" and "readOnly"');
  const { builder, readOnly, ...rest } = value;
  const [stranger] = Object.keys(rest);
  if (stranger !== undefined) fail(`knows "builder" and "readOnly" in "mode", not "${stranger}"`);
  return { builder: parseName('mode.builder', builder), readOnly: parseName('mode.readOnly', readOnly) };
}

function parsePermissions(value: unknown): Permissions {
  if (value === 'allow' || value === 'deny' || value === 'by-role') return value;
  return fail(`takes "permissions": "allow", "deny" or "by-role", not ${JSON.stringify(value)}`);
}

function parseName(field: string, value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' && value !== '' ? value : fail(`takes "${field}" as a name`);
}

function parseMs(field: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  return fail(`takes "${field}" as a whole number of milliseconds above 0, not ${JSON.stringify(value)}`);
}
