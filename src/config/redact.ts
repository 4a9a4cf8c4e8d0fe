// Takes secrets out of text: the values of our own secret variables, and whatever looks like a well-known kind of key.
import type { RedactingStream, Redactor } from '#ports/redactor.ts';

const secretNames = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|AUTH/i;
/** Shorter values are words that stand everywhere. */
const lengthMin = 8;

/** Kinds of keys by their first characters; the pattern is only tried where one of those stands. */
const kinds: readonly { readonly begins: string; readonly pattern: RegExp }[] = [
  { begins: 'sk-', pattern: /\bsk-[A-Za-z0-9_-]{20,}/g },
  { begins: 'ghp_', pattern: /\bghp_[A-Za-z0-9]{30,}/g },
  { begins: 'gho_', pattern: /\bgho_[A-Za-z0-9]{30,}/g },
  { begins: 'github_pat_', pattern: /\bgithub_pat_[A-Za-z0-9_]{30,}/g },
  { begins: 'glpat-', pattern: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  { begins: 'AKIA', pattern: /\bAKIA[A-Z0-9]{16}\b/g },
  { begins: 'AIza', pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { begins: 'xox', pattern: /\bxox[abprs]-[A-Za-z0-9-]{10,}/g },
  { begins: 'npm_', pattern: /\bnpm_[A-Za-z0-9]{36}/g },
];

/** Longer than any key: more than this is never held back. */
const heldMax = 4096;

export function createRedactor(env: { readonly [name: string]: string | undefined }): Redactor {
  const secrets = secretsOf(env);
  const redact = (text: string): string => {
    let clean = text;
    for (const { name, value } of secrets) {
      if (clean.includes(value)) clean = clean.replaceAll(value, `[redacted ${name}]`);
    }
    for (const { begins, pattern } of kinds) {
      if (clean.includes(begins)) clean = clean.replaceAll(pattern, '[redacted key]');
    }
    return clean;
  };
  return { redact, stream: () => streamThrough(redact) };
}

function secretsOf(env: { readonly [name: string]: string | undefined }) {
  return Object.entries(env)
    .flatMap(([name, value]) => (value !== undefined && isSecret(name, value) ? [{ name, value }] : []))
    .toSorted((a, b) => b.value.length - a.value.length);
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

/** What a cut-off key may still be: everything after the last blank. */
function startOfLastWord(text: string): number {
  const last = Math.max(0, text.length - heldMax);
  for (let at = text.length; at > last; at -= 1) {
    if (text.charCodeAt(at - 1) <= 32) return at;
  }
  return last;
}
