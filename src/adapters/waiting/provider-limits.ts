// Records until when a usage limit blocks sessions: one file per provider and payer, for all runs here.
import { createHash } from 'node:crypto';
import { closeSync, constants, mkdirSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentConfig } from '#kernel/model/config.ts';
import type { AgentChoice } from '#kernel/model/step.ts';
import type { Admission, KnownLimit } from '#ports/admission.ts';
import { orElse } from '#base/or-else.ts';
import { parseRecord } from '#base/parse-json.ts';
import { replaceFileSync } from '#adapters/files/files.ts';

export interface ProviderLimitsOptions {
  readonly folder: string;
  readonly runId: string;
  readonly agents: { readonly [name: string]: AgentConfig };
  /** The whole environment of an agent's client: the value of a key distinguishes accounts. */
  readonly envFor: (agentName: string) => { readonly [name: string]: string };
  /** A limit further ahead is ignored: one session asks the provider itself. */
  readonly waitMsMax: number;
  /** Variables with login folders or credentials of clients: they distinguish accounts. */
  readonly accountVariables: readonly string[];
  readonly now: () => number;
}

/** How long a run waits for a limit without a known end. */
const unknownLimitMs = 15 * 60_000;
const reasonLengthMax = 300;
/** Several times the size of any record. */
const bytesMax = 4096;

export function createProviderLimits(options: ProviderLimitsOptions): Admission {
  const { now, waitMsMax, runId } = options;
  const limitOf = (agent: AgentChoice): StoredLimit | null => {
    const file = fileOf(options, agent);
    const stored = readLimit(file);
    if (stored === null) return null;
    if (stored.until <= now()) remove(file);
    return stored.until > now() && stored.until - now() <= waitMsMax ? stored : null;
  };
  return {
    limitOf: (agent) => orElse(() => limitOf(agent), null),
    noteLimit: (agent, { until, reason }) =>
      orElse(() => {
        const at = now();
        const end = Math.max(until ?? at + unknownLimitMs, limitOf(agent)?.until ?? 0);
        if (end <= at) return;
        write(options, agent, { until: end, at, reason: reason.slice(0, reasonLengthMax), runId });
      }, undefined),
    noteSuccess: (agent, startedAt) =>
      orElse(() => {
        const file = fileOf(options, agent);
        if ((readLimit(file)?.at ?? 0) <= startedAt) remove(file);
      }, undefined),
    forget: (agents) => {
      for (const agent of agents) orElse(() => remove(fileOf(options, agent)), undefined);
    },
  };
}

interface StoredLimit extends KnownLimit {
  /** When the limit was hit. */
  readonly at: number;
}

/** The name distinguishes accounts without revealing them: it is a hash. */
function fileOf(
  { folder, agents, envFor, accountVariables }: ProviderLimitsOptions,
  { name, model }: AgentChoice,
): string {
  const agent = agents[name];
  const { driver = name, options = {}, payer } = agent ?? {};
  const env = envFor(name);
  const variable = /^\w+/.exec(payer?.name ?? '')?.[0] ?? '';
  const account = [
    driver,
    ...['provider', 'baseUrl', 'command', 'args'].map((key) => options[key] ?? null),
    payer?.kind ?? 'unknown',
    payer?.kind === 'key' ? (env[variable] ?? '') : (payer?.name ?? ''),
    ...accountVariables.map((key) => env[key] ?? null),
    model ?? options['model'] ?? null,
  ];
  const hash = createHash('sha256').update(JSON.stringify(account)).digest('hex');
  return join(folder, `${hash.slice(0, 24)}.json`);
}

/** Null for a file that is missing, too large, or invalid. */
function readLimit(file: string): StoredLimit | null {
  const { until, at, reason, runId } = parseRecord(orElse(() => readBounded(file), '')) ?? {};
  if (!isTime(until) || !isTime(at) || typeof reason !== 'string' || typeof runId !== 'string') return null;
  if (!/^[\w-]{1,64}$/.test(runId)) return null;
  // Shown on terminals, and another program may have written it.
  return { until, at, reason: reason.slice(0, reasonLengthMax).replaceAll(/\p{Cc}+/gu, ' '), runId };
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function readBounded(file: string): string {
  // Non-blocking: a pipe without a writer would block the driver forever.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(bytesMax + 1);
    const length = readSync(descriptor, bytes, 0, bytes.length, 0);
    return length > bytesMax ? '' : bytes.toString('utf8', 0, length);
  } finally {
    closeSync(descriptor);
  }
}

function write(options: ProviderLimitsOptions, agent: AgentChoice, limit: StoredLimit): void {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  replaceFileSync(fileOf(options, agent), JSON.stringify(limit));
}

function remove(file: string): void {
  rmSync(file, { force: true });
}
