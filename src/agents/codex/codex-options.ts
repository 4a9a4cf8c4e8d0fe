// The options of the `codex` driver.
import { isRecord } from '#base/record.ts';
import { optionsOf, type RawOptions } from '#agents/shared/read-options.ts';

export interface CodexOptions {
  readonly binary: string;
  /** `auto` uses the app-server, and `codex exec` where there is none. */
  readonly via: 'auto' | 'app-server' | 'exec';
  /** For roles that may write; a read-only role is always `read-only`. */
  readonly sandbox: SandboxMode;
  /** Codex's own settings by dotted key, as its `-c` takes them. */
  readonly config: { readonly [key: string]: unknown };
  readonly profile: string | null;
  readonly approvals: 'never' | 'on-request';
  /** Time to open an old thread; without an answer by then, the thread counts as gone. */
  readonly resumeTimeoutMs: number;
}

export type SandboxMode = (typeof sandboxModes)[number];

const sandboxModes = ['workspace-write', 'read-only', 'danger-full-access'] as const;
const ways = ['auto', 'app-server', 'exec'] as const;
const approvalPolicies = ['never', 'on-request'] as const;
const known = ['binary', 'via', 'sandbox', 'config', 'profile', 'approvals', 'resumeTimeoutMs'];
/** Usually within a second, longer on a busy machine; never for a thread that codex believes is running. */
const resumeTimeoutMsDefault = 20_000;
const { fail, refuseUnknown } = optionsOf('codex');

export function parseCodexOptions(options: RawOptions): CodexOptions {
  refuseUnknown(options, known);
  const via = oneOf('via', options['via'] ?? 'auto', ways);
  const profile = options['profile'] === undefined ? null : word('profile', options['profile']);
  if (profile !== null && via === 'app-server') {
    fail('takes "profile" only through "via": "exec"; codex app-server has no profiles');
  }
  return {
    binary: word('binary', options['binary'] ?? 'codex'),
    via: profile === null ? via : 'exec',
    sandbox: oneOf('sandbox', options['sandbox'] ?? 'workspace-write', sandboxModes),
    config: parseConfig(options['config'] ?? {}),
    profile,
    approvals: oneOf('approvals', options['approvals'] ?? 'never', approvalPolicies),
    resumeTimeoutMs: parseMs('resumeTimeoutMs', options['resumeTimeoutMs'] ?? resumeTimeoutMsDefault),
  };
}

function oneOf<T extends string>(name: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found !== undefined) return found;
  const list = allowed.map((one) => `"${one}"`).join(', ');
  return fail(`takes one of ${list} as "${name}", not ${JSON.stringify(value)}`);
}

function word(name: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  return fail(`takes a name as "${name}", not ${JSON.stringify(value)}`);
}

function parseMs(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  return fail(`takes a whole number of milliseconds above 0 as "${name}", not ${JSON.stringify(value)}`);
}

function parseConfig(value: unknown): CodexOptions['config'] {
  if (!isRecord(value)) return fail('takes "config" as an object of its own settings by dotted key');
  for (const [key, one] of Object.entries(value)) {
    if (one === null || one === undefined) fail(`cannot set "${key}" in "config" to nothing`);
  }
  return value;
}
