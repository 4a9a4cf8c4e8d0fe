// Who is told of a run, and how: `notify` in the configuration. It belongs to the driver, not to the run: nothing of it is frozen, and
// no address reaches a journal.
import type { NotificationKind } from '#kernel/notification.ts';
import type { EnvironmentSpec } from './agent-env.ts';
import { defaultNotify, defaultNotifyTimeoutMs, defaultWarnPercent } from './defaults.ts';
import { parseDuration } from './duration.ts';
import type { Environment } from './env-file.ts';
import type { Layer } from './layers.ts';
import { setting } from './layers.ts';

/** What a person may write; which keys go together is told by `notifyProblem`. */
export interface NotifyTable {
  readonly to: 'terminal' | 'desktop' | 'command' | 'webhook';
  readonly on?: readonly NotificationKind[] | undefined;
  readonly after?: string | number | undefined;
  readonly timeout?: string | number | undefined;
  readonly sign?: 'bell' | 'osc9' | 'both' | undefined;
  readonly command?: string | undefined;
  readonly env?: EnvironmentSpec | undefined;
  readonly url?: string | undefined;
  readonly urlEnv?: string | undefined;
  readonly tokenEnv?: string | undefined;
  readonly format?: 'json' | 'slack' | 'ntfy' | undefined;
}

export type NotifyEntry = 'terminal' | 'desktop' | NotifyTable;

/** One way to a person, with everything that is needed to go it. */
export type NotifierSpec = {
  /** Null for every kind. */
  readonly on: readonly NotificationKind[] | null;
  /** Not before the driver has been at it for so long. */
  readonly afterMs: number;
  readonly timeoutMs: number;
} & (
  | { readonly to: 'terminal'; readonly sign: 'bell' | 'osc9' | 'both' }
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
  /** What keeps an entry from being used, in a sentence each. */
  readonly problems: readonly string[];
  /** Addresses and tokens, to be kept out of every text. */
  readonly secrets: readonly string[];
  readonly warnPercent: number;
}

const common = ['to', 'on', 'after', 'timeout'];
const keysOf: { readonly [to in NotifyTable['to']]: readonly string[] } = {
  terminal: ['sign'],
  desktop: [],
  command: ['command', 'env'],
  webhook: ['url', 'urlEnv', 'tokenEnv', 'format'],
};

/** What stands after "this entry"; null when nothing is wrong. */
export function notifyProblem(table: NotifyTable): string | null {
  const stray = Object.keys(table).find((key) => !common.includes(key) && !keysOf[table.to].includes(key));
  if (stray !== undefined) return `leads to a ${table.to}, which has no "${stray}"`;
  if (table.to === 'command' && table.command === undefined) return 'needs a "command"';
  if (table.to !== 'webhook') return null;
  if ((table.url === undefined) === (table.urlEnv === undefined))
    return 'needs "url", or "urlEnv" with the name of a variable that holds it';
  return table.url === undefined ? null : urlProblem(table.url, table.format);
}

export function notifyOf(settings: Layer, env: Environment): NotifySettings {
  const specs: NotifierSpec[] = [];
  const problems: string[] = [];
  const secrets: string[] = [];
  for (const entry of setting(settings, 'notify') ?? defaultNotify) {
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
    warnPercent: setting(settings, 'budget.warnPercent') ?? defaultWarnPercent,
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
      return { ...base, to: 'terminal', sign: table.sign ?? 'both' };
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

/** The address itself is never repeated: it is a secret. */
function urlProblem(text: string, format: NotifyTable['format']): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return 'must hold a whole address that begins with https:// or http://';
  if (format === 'ntfy' && url.pathname.replaceAll('/', '') === '')
    return 'must hold an address with the topic at its end, such as https://ntfy.example/my-topic';
  return null;
}

function secretsOf(url: URL, token: string | null): string[] {
  const path = `${url.pathname}${url.search}`.replace(/^\/+/, '');
  return [url.href, path, url.password, token ?? ''].filter((secret) => secret.length > 0);
}
