// Secrets in the events of an agent, however its output is cut into events.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRedactor } from '#config/redact.ts';
import type { AgentEvent } from '#ports/agent.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { createEventRedactor } from './redact-events.ts';

const redactor = createRedactor({ MY_TOKEN: 'correct horse battery', OTHER_KEY: 'zq9-zq9-zq9' });
const secrets = ['correct horse battery', 'zq9-zq9-zq9', `sk-${'a1'.repeat(12)}`, `AKIA${'B'.repeat(16)}`];

function shown(pieces: readonly string[]): string {
  const redacting = createEventRedactor(redactor);
  const events: AgentEvent[] = pieces.flatMap((text) => redacting.onEvent({ type: 'text', text }));
  events.push(...redacting.end());
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

it('A secret is redacted wherever long pieces of output are cut, and all other text is kept [X6]', () => {
  const words = fc.constantFrom(
    'so it read the file ',
    'x'.repeat(3_000),
    '\n',
    'é 漢 🙂 ',
    '\u001b[31m',
    '\0',
    'sk- ',
    ' ',
  );
  const long = fc.constant('It changed a line and ran the tests.\n'.repeat(500));
  const part = fc.oneof({ weight: 3, arbitrary: words }, long, {
    weight: 3,
    arbitrary: fc.constantFrom(...secrets.flatMap((one) => [` ${one} `, `\n\u001b[31m${one}\u001b[0m `])),
  });
  const across = countReached('a secret that two pieces share', { floor: 0.3 });
  const large = countReached('a long piece after a held word', { floor: 0.15 });
  assertProperty(
    fc.property(
      fc.array(part, { minLength: 4, maxLength: 12 }),
      fc.array(fc.nat(), { maxLength: 4 }),
      (parts, cuts) => {
        const text = parts.join('');
        // Some of the cuts lie inside of a secret.
        const inside = secrets.flatMap((secret) => (text.includes(secret) ? [text.indexOf(secret) + 5] : []));
        const places = [
          ...new Set([...cuts.map((cut) => cut % (text.length + 1)), ...inside.slice(0, 2)]),
        ].toSorted((a, b) => a - b);
        const pieces = [0, ...places].map((from, index) => text.slice(from, places[index]));
        if (inside.length > 0) across.mark();
        if (pieces.slice(1).some((piece) => piece.length > 16 * 1024)) large.mark();
        expect(shown(pieces) === redactor.redact(text)).toBe(true);
      },
    ),
    { numRuns: 200, reaches: [across, large] },
  );
});

it('A long piece of output that completes a word becomes a short and a long event [B9]', () => {
  const redacting = createEventRedactor(redactor);
  redacting.onEvent({ type: 'text', text: 'it read the fi' });
  const [first, second, ...others] = redacting.onEvent({
    type: 'text',
    text: `le ${'again '.repeat(5_000)}`,
  });
  expect(first).toEqual({ type: 'text', text: 'file ' });
  expect(second).toEqual({ type: 'text', text: 'again '.repeat(5_000) });
  expect(others).toEqual([]);
});
