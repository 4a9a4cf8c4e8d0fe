// The options of the `acp` driver, checked by hand: the host starts small and loads no schema library.
import { OperatorError } from '#base/operator-error.ts';

export interface AcpOptions {
  /** A string goes through the shell; a list is started as it is. */
  readonly command: string | readonly [string, ...string[]];
  /** Names of the agent's own modes; null picks from what it offers. */
  readonly mode: { readonly builder: string | null; readonly readOnly: string | null };
  readonly permissions: Permissions;
  readonly model: string | null;
  readonly env: { readonly [name: string]: string };
  /** What the agent gets to continue a session; one without an answer by then counts as gone. */
  readonly resumeTimeoutMs: number;
}

/** `by-role` allows everything to a builder and only looking to a read-only role. */
export type Permissions = 'allow' | 'deny' | 'by-role';

const known = ['command', 'mode', 'permissions', 'model', 'env', 'resumeTimeoutMs'];
/** Slow agents take twenty seconds to start on a busy machine, and some read the whole history before they answer. */
const resumeTimeoutMsDefault = 60_000;

export function parseAcpOptions(options: { readonly [key: string]: unknown }): AcpOptions {
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) fail(`has no option "${key}" (it knows ${known.join(', ')})`);
  }
  return {
    command: parseCommand(options['command']),
    mode: parseMode(options['mode'] ?? {}),
    permissions: parsePermissions(options['permissions'] ?? 'by-role'),
    model: parseName('model', options['model']),
    env: parseEnv(options['env'] ?? {}),
    resumeTimeoutMs: parseMs('resumeTimeoutMs', options['resumeTimeoutMs'] ?? resumeTimeoutMsDefault),
  };
}

function parseCommand(value: unknown): AcpOptions['command'] {
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) {
    const [program, ...rest] = value;
    if (program !== undefined && program !== '') return [program, ...rest];
  }
  return fail(
    'needs "command": a string or a list of strings such as "my-agent --acp", and not an empty one',
  );
}

function parseMode(value: unknown): AcpOptions['mode'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fail('takes "mode" as an object with "builder" and "readOnly"');
  }
  const { builder, readOnly, ...rest }: { [name: string]: unknown } = { ...value };
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

function parseEnv(value: unknown): AcpOptions['env'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fail('takes "env" as an object of strings');
  }
  for (const [name, one] of Object.entries(value)) {
    if (typeof one !== 'string') fail(`takes strings in "env", and "${name}" is none`);
  }
  return value as AcpOptions['env'];
}

function parseMs(field: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  return fail(`takes "${field}" as a whole number of milliseconds above 0, not ${JSON.stringify(value)}`);
}

function fail(problem: string): never {
  const hint = 'Correct the options of this agent in the configuration.';
  throw new OperatorError('agent-options', `The acp agent ${problem}.`, hint);
}
