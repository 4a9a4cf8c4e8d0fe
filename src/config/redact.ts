// Removes secrets from text: values of our own secret variables, and all well-known kinds of keys.
import type { RedactingStream, Redactor } from '#ports/redactor.ts';

/** The word author names a person, as in GIT_AUTHOR_NAME. */
const secretNames = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|AUTH(?!ORS?(?![A-Z]))/i;
/** Shorter values are common words. */
const lengthMin = 8;

/** Kinds of keys with a known prefix. */
const kinds: readonly RegExp[] = [
  /sk-[A-Za-z0-9_-]{20,}/,
  /gh[po]_[A-Za-z0-9]{30,}/,
  /github_pat_[A-Za-z0-9_]{30,}/,
  /glpat-[A-Za-z0-9_-]{20,}/,
  /AKIA[A-Z0-9]{16}/,
  /AIza[A-Za-z0-9_-]{35}/,
  /xox[abprs]-[A-Za-z0-9-]{10,}/,
  /npm_[A-Za-z0-9]{36}/,
];

/** Longer than any key: no more than this is ever held back. */
const heldMax = 4096;

export function createRedactor(env: { readonly [name: string]: string | undefined }): Redactor {
  const names = secretsOf(env);
  // One pattern for all: an agent may print a gigabyte, and each pass over it costs a second.
  const anyKind = kinds.map(({ source }) => `\\b${source}`);
  const source = [...names.keys()]
    .map((value) => value.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .concat(anyKind)
    .join('|');
  const some = new RegExp(source);
  const all = new RegExp(source, 'g');
  const redact = (text: string): string =>
    some.test(text) ? text.replaceAll(all, (found) => `[redacted ${names.get(found) ?? 'key'}]`) : text;
  return { redact, stream: () => streamThrough(redact) };
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

function streamThrough(redact: (text: string) => string): RedactingStream {
  let held = '';
  return {
    push(text) {
      const whole = held + text;
      const end = startOfLastWord(whole);
      held = whole.slice(end);
      return redact(whole.slice(0, end));
    },
    end() {
      const last = held;
      held = '';
      return redact(last);
    },
  };
}

/** Everything after the last blank may be the beginning of a key. */
function startOfLastWord(text: string): number {
  const last = Math.max(0, text.length - heldMax);
  for (let at = text.length; at > last; at -= 1) {
    if (text.charCodeAt(at - 1) <= 32) return at;
  }
  return last;
}
