// The options of the `openai` driver.
import { optionsOf, type RawOptions } from '#agents/shared/read-options.ts';
import { providers, type ProviderName } from './facts.ts';

export interface OpenaiOptions {
  readonly provider: ProviderName | null;
  /** Includes the `/v1`; null for the provider's own address. */
  readonly baseUrl: string | null;
  readonly model: string | null;
  /** Name of the variable that holds the key; the key itself is never stored. */
  readonly apiKeyEnv: string | null;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  readonly stepsMax: number;
  /** `${NAME}` in a value is replaced from the environment. */
  readonly headers: { readonly [name: string]: string };
}

/** A task that takes more turns than this makes no progress; a fresh session does better. */
const stepsMaxDefault = 200;

const known = 'provider baseUrl model apiKeyEnv temperature maxTokens stepsMax headers'.split(' ');

const { fail, readStrings, refuseUnknown } = optionsOf('openai');

export function parseOpenaiOptions(options: RawOptions): OpenaiOptions {
  refuseUnknown(options, known);
  const provider = parseProvider(options['provider']);
  const baseUrl = parseUrl(options['baseUrl']);
  if (provider === null && baseUrl === null) {
    fail('needs "baseUrl", such as "http://127.0.0.1:8000/v1", or a "provider"');
  }
  return {
    provider,
    baseUrl,
    model: parseText(options, 'model'),
    apiKeyEnv: parseKeyName(options) ?? (baseUrl === null ? keyNameOf(provider) : null),
    temperature: parseNumber(options, 'temperature', (value) => value >= 0),
    maxTokens: parseNumber(options, 'maxTokens', isCount),
    stepsMax: parseNumber(options, 'stepsMax', isCount) ?? stepsMaxDefault,
    headers: readStrings('headers', options['headers'] ?? {}),
  };
}

function parseProvider(value: unknown): ProviderName | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && Object.hasOwn(providers, value)) return value as ProviderName;
  const names = Object.keys(providers).join(', ');
  return fail(
    `knows no provider ${JSON.stringify(value)} (it knows ${names}; any other one has a "baseUrl")`,
  );
}

function keyNameOf(provider: ProviderName | null): string | null {
  return provider === null ? null : providers[provider].apiKeyEnv;
}

function parseUrl(value: unknown): string | null {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value.replace(/\/+$/, '') : '';
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return fail(`takes "baseUrl" as an http or https address, not ${JSON.stringify(value)}`);
  }
  if (url.username !== '' || url.password !== '') fail('takes no key in "baseUrl": name it by "apiKeyEnv"');
  return text;
}

function parseKeyName(options: RawOptions): string | null {
  const name = parseText(options, 'apiKeyEnv');
  if (name !== null && !/^[A-Za-z_]\w*$/.test(name)) {
    fail('takes in "apiKeyEnv" the name of a variable, such as "OPENAI_API_KEY", never the key itself');
  }
  return name;
}

function parseText(options: RawOptions, key: string): string | null {
  const value = options[key];
  if (value === undefined) return null;
  return typeof value === 'string' && value !== '' ? value : fail(`takes "${key}" as a text`);
}

function parseNumber(options: RawOptions, key: string, isFine: (value: number) => boolean): number | null {
  const value = options[key];
  if (value === undefined) return null;
  if (typeof value === 'number' && Number.isFinite(value) && isFine(value)) return value;
  return fail(`cannot take ${JSON.stringify(value)} as "${key}"`);
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value > 0;
}
