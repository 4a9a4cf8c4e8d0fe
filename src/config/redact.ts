// Removes secrets from text: values of our own secret variables, and all well-known kinds of keys.
import type { Redactor } from '#ports/redactor.ts';
import { isBlank, streamThrough, type Secrets } from './redact-stream.ts';

/** The word author names a person, as in GIT_AUTHOR_NAME. */
const secretNames = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|AUTH(?!ORS?(?![A-Z]))/i;
/** Shorter values are common words. */
const lengthMin = 8;

/** Kinds of keys that begin with a word and a separator, and what follows: at least ten of these characters. */
const separated = [
  ['sk-', '[A-Za-z0-9_-]{20,}'],
  ['gh[oprsu]_', '[A-Za-z0-9]{30,}'],
  ['github_pat_', '[A-Za-z0-9_]{30,}'],
  ['glpat-', '[A-Za-z0-9_-]{20,}'],
  ['xox[abprs]-', '[A-Za-z0-9-]{10,}'],
  ['npm_', '[A-Za-z0-9]{36}'],
] as const;
const unseparated = [
  ['AKIA', '[A-Z0-9]{16}'],
  ['AIza', '[A-Za-z0-9_-]{35}'],
] as const;

/** As itself, or as JSON and shells write it. */
const escapeSign = String.raw`(?:\u001B|\\(?:u001[bB]|x1[bB]|033|e))`;
/**
 * A colour (`ESC[31m`) and an escaped sign (`\n` and `\u003e` in JSON, `%3D` in an address) may end with a letter,
 * and no word goes on after them.
 */
const wordStart = String.raw`(?:\b|(?<=\\[bfnrt]|\\u[\dA-Fa-f]{4}|%[\dA-Fa-f]{2}|${escapeSign}\[[0-9;?]*[A-Za-z]))`;

/** Found at the separator, which is rare: the search skips all other text quickly. */
const separator = new RegExp(
  `[-_](?<=${wordStart}(?:${separated.map(([sign]) => sign).join('|')}))[A-Za-z0-9_-]{10}`,
);

export function createRedactor(env: { readonly [name: string]: string | undefined }): Redactor {
  const names = secretsOf(env);
  const secrets = patternFor([...names.keys()]);
  const redact = (text: string): string =>
    secrets.mayBeIn(text)
      ? text.replaceAll(secrets.pattern, (found) => `[redacted ${names.get(found) ?? 'key'}]`)
      : text;
  return { redact, stream: () => streamThrough(redact, secrets) };
}

/** Names of secret variables by their values, the longest first. */
function secretsOf(env: { readonly [name: string]: string | undefined }): Map<string, string> {
  const found = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isSecret(name, value) ? [[value, name] as const] : [],
  );
  return new Map(found.toSorted(([a], [b]) => b.length - a.length));
}

function isSecret(name: string, value: string): boolean {
  const isPlace = value.startsWith('/') || value.startsWith('unix:');
  return value.length >= lengthMin && secretNames.test(name) && !isPlace;
}

function patternFor(values: readonly string[]): Secrets {
  const kinds = [...separated, ...unseparated].map(([sign, rest]) => sign + rest);
  const escaped = values.map((value) => value.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return {
    spaced: values.filter((value) => Array.from(value).some((one) => isBlank(one.charCodeAt(0)))),
    lengthMax: values[0]?.length ?? 0,
    pattern: new RegExp([...escaped, `${wordStart}(?:${kinds.join('|')})`].join('|'), 'g'),
    mayBeIn: (text) =>
      separator.test(text) ||
      unseparated.some(([sign]) => text.includes(sign)) ||
      values.some((value) => text.includes(value)),
  };
}
