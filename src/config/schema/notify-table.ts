// Finds errors in one entry of `notify`. Pure, without zod: addresses from variables follow the same rule.
import type { NotifyTable } from './notify-schema.ts';

const common = ['to', 'on', 'after', 'timeout'];
const keysOf: { readonly [to in NotifyTable['to']]: readonly string[] } = {
  terminal: ['method'],
  desktop: [],
  command: ['command', 'env'],
  webhook: ['url', 'urlEnv', 'tokenEnv', 'format'],
};

/** The text after "this entry"; null if the entry is valid. */
export function notifyProblem(table: NotifyTable): string | null {
  const stray = Object.keys(table).find((key) => !common.includes(key) && !keysOf[table.to].includes(key));
  if (stray !== undefined) return `is a ${table.to}, which has no "${stray}"`;
  if (table.to === 'command' && table.command === undefined) return 'needs a "command"';
  if (table.to !== 'webhook') return null;
  if ((table.url === undefined) === (table.urlEnv === undefined))
    return 'needs "url", or "urlEnv" with the name of a variable that holds it';
  return table.url === undefined ? null : urlProblem(table.url, table.format);
}

/** The address itself is never printed: it is a secret. */
export function urlProblem(text: string, format: NotifyTable['format']): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return 'must be a full address with https:// or http://';
  if (format === 'ntfy' && url.pathname.replaceAll('/', '') === '')
    return 'must be an address that ends with the topic, such as https://ntfy.example/my-topic';
  return null;
}
