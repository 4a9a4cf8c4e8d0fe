// The options of the `claude` driver.
import { isRecord } from '#base/record.ts';
import { optionsOf, type RawOptions } from '#agents/shared/read-options.ts';

export interface ClaudeOptions {
  /** `auto` uses the SDK if it is found, else the program. */
  readonly via: 'auto' | 'cli' | 'sdk';
  /** Name or path of the program. */
  readonly binary: string;
  /** Folder of the SDK's package, or null to search where packages are installed. */
  readonly sdk: string | null;
  readonly permissionMode: PermissionMode;
  readonly settingSources: readonly SettingSource[];
  /** Without the workspace, where the builder could set the verifier's model, hooks and prompt. */
  readonly readOnlySettingSources: readonly SettingSource[];
  /** Tools that need no permission; only useful with another permission mode. */
  readonly allowedTools: readonly string[];
  /** All tools of a read-only role. */
  readonly readOnlyTools: readonly string[];
  readonly asRoot: 'refuse' | 'allow';
  readonly env: { readonly [name: string]: string };
  readonly extraArgs: readonly string[];
  readonly maxTurns: number | null;
  /** A JSON schema that the final answer must follow. */
  readonly outputSchema: { readonly [key: string]: unknown } | null;
}

const permissionModes = [
  'default',
  'acceptEdits',
  'bypassPermissions',
  'dontAsk',
  'plan',
  'auto',
  'manual',
] as const;
const settingSources = ['user', 'project', 'local'] as const;

export type PermissionMode = (typeof permissionModes)[number];
type SettingSource = (typeof settingSources)[number];

/** Bash is included: a verifier must run programs to refute claims. Tree comparison finds its changes. */
export const defaultReadOnlyTools: readonly string[] = ['Read', 'Grep', 'Glob', 'Bash'];

const { fail, refuseUnknown } = optionsOf('claude');

const readers: { readonly [key in keyof ClaudeOptions]: (value: unknown) => ClaudeOptions[key] } = {
  via: (value) => oneOf('via', ['auto', 'cli', 'sdk'], value ?? 'auto'),
  binary: (value) => text('binary', value ?? 'claude'),
  sdk: (value) => (value === undefined ? null : text('sdk', value)),
  permissionMode: (value) => oneOf('permissionMode', permissionModes, value ?? 'bypassPermissions'),
  settingSources: (value) => sources('settingSources', value ?? ['user', 'project']),
  readOnlySettingSources: (value) => sources('readOnlySettingSources', value ?? ['user']),
  allowedTools: (value) => texts('allowedTools', value ?? []),
  readOnlyTools: (value) => texts('readOnlyTools', value ?? defaultReadOnlyTools),
  asRoot: (value) => oneOf('asRoot', ['refuse', 'allow'], value ?? 'refuse'),
  env: (value) => environment(value ?? {}),
  extraArgs: (value) => texts('extraArgs', value ?? []),
  maxTurns: (value) => (value === undefined ? null : wholeNumber('maxTurns', value)),
  outputSchema: (value) => (value === undefined ? null : record('outputSchema', value)),
};

export function parseClaudeOptions(options: RawOptions): ClaudeOptions {
  refuseUnknown(options, Object.keys(readers));
  const read = Object.entries(readers).map(([key, reader]) => [key, reader(options[key])] as const);
  return Object.fromEntries(read) as unknown as ClaudeOptions;
}

function text(name: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  return fail(`takes "${name}" as a text that is not empty`);
}

function texts(name: string, value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  return fail(`takes "${name}" as a list of texts`);
}

function sources(name: string, value: unknown): readonly SettingSource[] {
  return texts(name, value).map((one) => oneOf(name, settingSources, one));
}

function oneOf<const Word extends string>(name: string, words: readonly Word[], value: unknown): Word {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  return fail(`takes "${name}" as one of ${words.join(', ')}, not ${JSON.stringify(value)}`);
}

function wholeNumber(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  return fail(`takes "${name}" as a whole number from 1 up`);
}

function record(name: string, value: unknown): RawOptions {
  return isRecord(value) ? value : fail(`takes "${name}" as an object`);
}

function environment(value: unknown): ClaudeOptions['env'] {
  const variables = record('env', value);
  for (const [name, one] of Object.entries(variables)) {
    if (typeof one !== 'string') fail(`takes texts in "env", and "${name}" is none`);
  }
  return variables as ClaudeOptions['env'];
}
