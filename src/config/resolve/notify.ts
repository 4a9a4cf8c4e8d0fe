// Reads `notify`: who gets notifications of a run, and how. It belongs to the driver, not to the run: nothing
// of it is frozen, and no address reaches a journal.
import type { NotificationKind } from '#kernel/model/notification.ts';
import type { EnvironmentSpec } from '#config/agents/agent-env.ts';
import { defaultNotifyTimeoutMs } from '#config/defaults.ts';
import { parseDuration } from '#base/duration.ts';
import type { Environment } from '#config/env-file.ts';
import { type Layer, setting } from '#config/layers.ts';
import type { NotifyTable } from '#config/schema/notify-schema.ts';
import { urlProblem } from '#config/schema/notify-table.ts';

/** One notification channel with its whole configuration. */
export type NotifierSpec = {
  /** Null for every kind. */
  readonly on: readonly NotificationKind[] | null;
  /** Not before the driver has run for this time. */
  readonly afterMs: number;
  readonly timeoutMs: number;
} & (
  | { readonly to: 'terminal'; readonly method: 'bell' | 'osc9' | 'both' }
  | { readonly to: 'desktop' }
  | { readonly to: 'command'; readonly command: string; readonly env: EnvironmentSpec }
  | {
      readonly to: 'webhook';
      readonly url: URL;
      readonly format: 'json' | 'slack' | 'ntfy';
      readonly token: string | null;
    }
);

export interface NotifySettings {
  readonly specs: readonly NotifierSpec[];
  /** Why an entry cannot be used, one sentence each. */
  readonly problems: readonly string[];
  /** Addresses and tokens, to be redacted from every text. */
  readonly secrets: readonly string[];
  readonly warnPercent: number;
}

export function notifyOf(settings: Layer, env: Environment): NotifySettings {
  const specs: NotifierSpec[] = [];
  const problems: string[] = [];
  const secrets: string[] = [];
  for (const entry of setting(settings, 'notify')) {
    const table: NotifyTable = typeof entry === 'string' ? { to: entry } : entry;
    const spec = specOf(table, env);
    if (typeof spec === 'string') problems.push(spec);
    else specs.push(spec);
    if (typeof spec !== 'string' && spec.to === 'webhook') secrets.push(...secretsOf(spec.url, spec.token));
  }
  return {
    specs,
    problems,
    secrets,
    warnPercent: setting(settings, 'budget.warnPercent'),
  };
}

function specOf(table: NotifyTable, env: Environment): NotifierSpec | string {
  const base = {
    on: table.on ?? null,
    afterMs: parseDuration(table.after ?? 0) ?? 0,
    timeoutMs: parseDuration(table.timeout ?? '') ?? defaultNotifyTimeoutMs,
  };
  switch (table.to) {
    case 'terminal':
      return { ...base, to: 'terminal', method: table.method ?? 'both' };
    case 'desktop':
      return { ...base, to: 'desktop' };
    case 'command':
      return { ...base, to: 'command', command: table.command ?? '', env: table.env ?? [] };
    case 'webhook':
      return webhookSpec(table, base, env);
  }
}

function webhookSpec(
  { url, urlEnv = '', tokenEnv, format = 'json' }: NotifyTable,
  base: Pick<NotifierSpec, 'on' | 'afterMs' | 'timeoutMs'>,
  env: Environment,
): NotifierSpec | string {
  const address = url ?? env[urlEnv];
  if (address === undefined || address === '')
    return `The variable ${urlEnv} is not set, so nothing is sent to that webhook.`;
  const problem = urlProblem(address, format);
  if (problem !== null) return `The variable ${urlEnv} ${problem}.`;
  const token = tokenEnv === undefined ? null : (env[tokenEnv] ?? '');
  if (token === '')
    return `The variable ${tokenEnv ?? ''} is not set, so nothing is sent to the webhook that needs it.`;
  return { ...base, to: 'webhook', url: new URL(address), format, token };
}

function secretsOf(url: URL, token: string | null): string[] {
  const path = `${url.pathname}${url.search}`.replace(/^\/+/, '');
  return [url.href, path, url.password, token ?? ''].filter((secret) => secret.length > 0);
}
