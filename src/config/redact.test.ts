import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { createRedactor } from './redact.ts';

const env = {
  ANTHROPIC_API_KEY: 'a-very-secret-value-1234567890',
  MY_TOKEN: 'tok+en/with=odd.chars-99',
  SSH_AUTH_SOCK: '/tmp/agent.sock',
  AUTH_MODE: 'basic',
  HOME: '/home/ann-the-person',
};

describe('Redaction', () => {
  const redactor = createRedactor(env);
  const redact = (text: string): string => redactor.redact(text);

  it('Redaction removes the values of our secret variables and names those variables', () => {
    expect(redact(`key=${env.ANTHROPIC_API_KEY}; ${env.MY_TOKEN}!`)).toBe(
      'key=[redacted ANTHROPIC_API_KEY]; [redacted MY_TOKEN]!',
    );
  });

  it('Redaction removes keys of well-known kinds that no variable holds', () => {
    const key = `sk-ant-${'x1Y_'.repeat(10)}`;
    expect(redact(`found ${key} and ghp_${'a1'.repeat(18)}.`)).toBe(
      'found [redacted key] and [redacted key].',
    );
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
        const places = [0, ...at.toSorted((a, b) => a - b), text.length];
        const redacting = redactor.stream();
        const shown = places.slice(1).map((to, index) => redacting.push(text.slice(places[index], to)));
        expect(shown.join('') + redacting.end()).toBe(redact(text));
      }),
      { reaches: [inSecret] },
    );
  });
});
