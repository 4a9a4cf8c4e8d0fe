import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Redactor } from '#ports/redactor.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { createRedactor } from './redact.ts';

const env = {
  ANTHROPIC_API_KEY: 'a-very-secret-value-1234567890',
  MY_TOKEN: 'tok+en/with=odd.chars-99',
  SSH_AUTH_SOCK: '/tmp/agent.sock',
  AUTH_MODE: 'basic',
  HOME: '/home/ann-the-person',
  SPACED_SECRET: 'first words second\nthird words last',
  GLUED_KEY: 'pre-and-sk-post-1234',
};
const key = `sk-ant-${'x1Y_'.repeat(10)}`;

const kindsOfKeys = [
  key,
  `sk-${'a'.repeat(20)}`,
  `ghp_${'a1'.repeat(15)}`,
  `gho_${'B2'.repeat(18)}`,
  `github_pat_${'c_3'.repeat(10)}`,
  `glpat-${'d-4_'.repeat(5)}`,
  `AKIA${'E5'.repeat(8)}`,
  `AIza${'f-6_7'.repeat(7)}`,
  `xoxb-${'g-8'.repeat(4)}`,
  `xoxs-${'9'.repeat(10)}`,
  `npm_${'h0J'.repeat(12)}`,
];
const values = [env.ANTHROPIC_API_KEY, env.MY_TOKEN, env.SPACED_SECRET, env.GLUED_KEY];
const allSecrets = [...kindsOfKeys, ...values];

/** What the plain pattern finds, written down once more. */
function plainly(text: string): string {
  const escape = String.raw`(?:\u001B|\\u001b|\\u001B|\\x1b|\\x1B|\\033|\\e)`;
  const start = String.raw`(?:\b|(?<=\\[bfnrt])|(?<=\\u[\da-fA-F]{4}|%[\da-fA-F]{2})|(?<=${escape}\[[\d;?]*[a-zA-Z]))`;
  const kinds =
    'sk-[A-Za-z0-9_-]{20,}|gh[oprsu]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}|glpat-[A-Za-z0-9_-]{20,}|' +
    'AKIA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{35}|xox[abprs]-[A-Za-z0-9-]{10,}|npm_[A-Za-z0-9]{36}';
  const named = Object.entries(env).filter(([, value]) => values.includes(value));
  const escaped = named.map(([, value]) => value.replaceAll(/[+./]/g, String.raw`\$&`));
  const pattern = new RegExp([...escaped, `${start}(?:${kinds})`].join('|'), 'g');
  return text.replace(
    pattern,
    (found) => `[redacted ${named.find(([, value]) => value === found)?.[0] ?? 'key'}]`,
  );
}

const secret = fc.constantFrom(...allSecrets);
const partOfSecret = fc
  .tuple(secret, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([whole, share]) => whole.slice(0, 1 + Math.floor(share * (whole.length - 1))));
const glue = fc.constantFrom(
  ' ',
  '',
  'x',
  '_',
  '-',
  '"',
  '=',
  '\n',
  '\\n',
  '\\t',
  '\u001B[31m',
  '\u001B[',
  '…',
  '7',
);
const words = fc.constantFrom(
  'task-',
  'disk-encryption-of-all-the-things',
  'npm_config',
  'gh',
  'AKI',
  'sk',
  'first ',
);
const pieces = [
  { weight: 2, arbitrary: secret },
  partOfSecret,
  glue,
  words,
  fc.string({ maxLength: 5 }),
] as const;
const longWord = fc
  .tuple(fc.constantFrom('q', '{"a":1},', '\u001B[31m'), fc.integer({ min: 4_000, max: 9_000 }))
  .map(([unit, length]) => unit.repeat(Math.ceil(length / unit.length)));
/** A word or a secret, what stands after it, and where it is cut. */
const streamed = fc.tuple(
  fc.oneof({ weight: 4, arbitrary: secret }, partOfSecret, words, { weight: 2, arbitrary: longWord }),
  fc.constantFrom('"', '":"', ',', ' '),
  fc.nat(),
);

function inPieces(redactor: Redactor, text: string, cuts: readonly number[]): string {
  const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
  const redacting = redactor.stream();
  const shown = places.slice(1).map((to, index) => redacting.push(text.slice(places[index], to)));
  return shown.join('') + redacting.end();
}

function isInside(text: string, cut: number): boolean {
  return allSecrets.some((one) => {
    const from = text.lastIndexOf(one, cut - 1);
    return from !== -1 && cut > from && cut < from + one.length;
  });
}

describe('Redaction', () => {
  const redactor = createRedactor(env);
  const redact = (text: string): string => redactor.redact(text);

  it('Redaction removes the values of our secret variables and names those variables', () => {
    expect(redact(`key=${env.ANTHROPIC_API_KEY}; ${env.MY_TOKEN}!`)).toBe(
      'key=[redacted ANTHROPIC_API_KEY]; [redacted MY_TOKEN]!',
    );
  });

  it('Redaction removes keys of well-known kinds that no variable holds', () => {
    expect(redact(`found ${key} and ghp_${'a1'.repeat(18)}.`)).toBe(
      'found [redacted key] and [redacted key].',
    );
  });

  it.each(['ghp', 'gho', 'ghu', 'ghs', 'ghr'])(
    'A token of GitHub that begins with %s is a secret',
    (sign) => {
      expect(redact(`"${sign}_${'a1'.repeat(18)}"`)).toBe('"[redacted key]"');
    },
  );

  it.each(['\u001B[01;31m\u001B[K', '\\u001b[31m', '\\033[1m', '<b\\u003e', 'key%3D', 'key=%22', '\\n'])(
    'A key directly after %j is a secret',
    (before) => {
      expect(redact(`${before}${key} ${before}ghp_${'a1'.repeat(18)}`)).toBe(
        `${before}[redacted key] ${before}[redacted key]`,
      );
    },
  );

  it('A key after a long colour is removed wherever a long word is cut', () => {
    const colour = '\u001B[1;3;4;38;2;255;100;100;48;2;100;100;100m';
    for (let length = 3_900; length < 4_100; length += 1) {
      const text = `${'b'.repeat(100)}${colour}${key}"${'c'.repeat(length)}`;
      expect(inPieces(redactor, `${text} end`, [text.length])).not.toContain(key);
    }
  });

  it('Redaction leaves paths, short words and ordinary text unchanged', () => {
    const text = `${env.SSH_AUTH_SOCK} ${env.AUTH_MODE} ${env.HOME} task-sk-1 risk-free npm_config`;
    expect(redact(text)).toBe(text);
  });

  it('The name and the address of the author of a commit are no secrets', () => {
    const author = { GIT_AUTHOR_NAME: 'Ann the Person', GIT_AUTHOR_EMAIL: 'ann@example.org' };
    const text = `Author: ${author.GIT_AUTHOR_NAME} <${author.GIT_AUTHOR_EMAIL}>`;
    expect(createRedactor(author).redact(text)).toBe(text);
  });

  it.each(['OAUTH', 'AUTHORIZATION', 'PROXY_AUTH', 'AUTH_HEADER', 'AUTHOR_TOKEN'])(
    'The value of %s is a secret',
    (name) => {
      expect(createRedactor({ [name]: 'one-secret-value' }).redact('is one-secret-value.')).toBe(
        `is [redacted ${name}].`,
      );
    },
  );

  it('Redaction finds a secret however its text is cut into pieces, and loses nothing else', () => {
    const text = `one ${env.ANTHROPIC_API_KEY} two ${env.MY_TOKEN}\nthree sk-${'q'.repeat(30)} four`;
    const cuts = fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 12 });
    const secrets = [env.ANTHROPIC_API_KEY, env.MY_TOKEN, `sk-${'q'.repeat(30)}`];
    const inSecret = countReached('a cut inside a secret', { floor: 0.5 });
    assertProperty(
      fc.property(cuts, (at) => {
        const isInside = (secret: string, cut: number): boolean =>
          cut > text.indexOf(secret) && cut < text.indexOf(secret) + secret.length;
        if (at.some((cut) => secrets.some((secret) => isInside(secret, cut)))) inSecret.mark();
        expect(inPieces(redactor, text, at)).toBe(redact(text));
      }),
      { reaches: [inSecret] },
    );
  });

  it.each([
    ['a colour', `\u001B[31m${key}\u001B[0m`],
    ['a longer colour', `\u001B[1;38;2;255;100;255m${key}\u001B[0m`],
    ['an escaped line break', `"first\\n${key}\\nlast"`],
  ])('Redaction finds a key directly after %s', (_, text) => {
    expect(redact(text)).toBe(text.replace(key, '[redacted key]'));
    expect(inPieces(redactor, text, [3])).toBe(text.replace(key, '[redacted key]'));
  });

  it('A search that is quicker than the pattern changes nothing of what redaction finds', () => {
    const hasSecret = countReached('a text with a secret', { floor: 0.35 });
    const hasAlmost = countReached('a text with only parts of secrets', { floor: 0.05 });
    assertProperty(
      fc.property(fc.array(fc.oneof(...pieces), { maxLength: 6 }), (texts) => {
        const text = texts.join('');
        const found = plainly(text);
        if (found !== text) hasSecret.mark();
        else if (texts.some((one) => allSecrets.some((secret) => one.length > 3 && secret.startsWith(one))))
          hasAlmost.mark();
        expect(redact(text)).toBe(found);
      }),
      { reaches: [hasSecret, hasAlmost], numRuns: 2_000 },
    );
  });

  it('Redaction of a text in pieces finds what the pattern finds in the whole text', () => {
    const inSecret = countReached('a cut inside a secret', { floor: 0.5 });
    const inLongWord = countReached('a secret in a word that is too long to hold back', { floor: 0.2 });
    assertProperty(
      fc.property(fc.array(streamed, { minLength: 2, maxLength: 8 }), (parts) => {
        const text = parts.map(([word, joint]) => word + joint).join('');
        let start = 0;
        const cuts = parts.map(([word, joint, number]) => {
          start += word.length + joint.length;
          return start - joint.length - (number % word.length);
        });
        if (cuts.some((cut) => isInside(text, cut))) inSecret.mark();
        if (text.split(/\s/).some((word) => word.length > 4_200 && plainly(word) !== word)) inLongWord.mark();
        expect(inPieces(redactor, text, cuts)).toBe(plainly(text));
      }),
      { reaches: [inSecret, inLongWord], numRuns: 300 },
    );
  });

  it('A key in a word of any length is removed, wherever the word is cut', () => {
    const whole = `"\u001B[31m${key}"`;
    const leaked = Array.from({ length: whole.length + 10 }, (_, index) => 4_096 - index).filter((after) => {
      const text = `${'x'.repeat(100)}${whole}${'y'.repeat(after)}`;
      return inPieces(redactor, text, []) !== text.replace(key, '[redacted key]');
    });
    expect(leaked).toEqual([]);
  });

  it('A secret with blanks is removed, wherever it is cut', () => {
    const leaked = Array.from(env.SPACED_SECRET).filter((_, at) => {
      const cut = inPieces(redactor, `is ${env.SPACED_SECRET}, no`, [3 + at]);
      return cut !== 'is [redacted SPACED_SECRET], no';
    });
    expect(leaked).toEqual([]);
  });

  it('A key that ends as a secret with blanks begins is removed', () => {
    const text = `is AIza${'f'.repeat(30)}first words, no`;
    expect(inPieces(redactor, text, [text.indexOf(',')])).toBe('is [redacted key] words, no');
  });

  it('Text that begins like a key and never ends is not held back', () => {
    const redacting = redactor.stream();
    const pushed = Array.from({ length: 64 }, () => redacting.push('sk-'.padEnd(4_096, 'q')));
    const rest = redacting.end();
    expect(pushed.join('').length).toBeGreaterThan(0);
    expect(rest.length).toBeLessThanOrEqual(2 * 4_096);
  });
});
