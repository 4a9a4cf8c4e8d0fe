import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { paintLine, usesColour } from './colour.ts';
import { clean } from './words.ts';

describe('usesColour', () => {
  const terminal = { wish: 'auto', isTerminal: true, env: {} } as const;

  test('A terminal gets colours, a pipe does not', () => {
    expect(usesColour(terminal)).toBe(true);
    expect(usesColour({ ...terminal, isTerminal: false })).toBe(false);
  });

  test('NO_COLOR and a dumb terminal switch colours off; an empty NO_COLOR does not', () => {
    expect(usesColour({ ...terminal, env: { NO_COLOR: '1' } })).toBe(false);
    expect(usesColour({ ...terminal, env: { TERM: 'dumb' } })).toBe(false);
    expect(usesColour({ ...terminal, env: { NO_COLOR: '' } })).toBe(true);
  });

  test('The flag --color takes precedence over everything else', () => {
    expect(usesColour({ wish: 'always', isTerminal: false, env: { NO_COLOR: '1' } })).toBe(true);
    expect(usesColour({ ...terminal, wish: 'never' })).toBe(false);
  });
});

describe('paintLine', () => {
  test.each([
    [
      '10:42:12 node-test: fail (exit 1)',
      '\u001B[2m10:42:12 \u001B[0mnode-test: \u001B[31mfail\u001B[0m (exit 1)',
    ],
    ['  ✓ setup: npm ci', '  \u001B[32m✓\u001B[0m setup: npm ci'],
    ['  ! left out: 2 paths', '  \u001B[33m! left out: 2 paths\u001B[0m'],
    ['Checks:', '\u001B[1mChecks:\u001B[0m'],
    ['✅ Completed', '\u001B[1;32m✅ Completed\u001B[0m'],
    ['Run it with `untildone land`', 'Run it with \u001B[36m`untildone land`\u001B[0m'],
    ['the other end of `a span` is `below', 'the other end of `a span` is `below'],
  ])('The line %j gets its colours', (line, painted) => {
    expect(paintLine(line)).toBe(painted);
  });

  test('Escape codes in a line never reach the terminal, and no text is lost', () => {
    const cleaned = countReached('a line with control characters', { floor: 0.2 });
    const pieces = fc.constantFrom('✓ ', ': fail', '10:42:12 ', '`x`', '\u001B[2J', '\u0007', 'Next: ', 'a');
    assertProperty(
      fc.property(fc.array(pieces, { maxLength: 12 }), (list) => {
        const line = list.join('');
        if (clean(line) !== line) cleaned.mark();
        expect(clean(paintLine(line))).toBe(clean(line));
      }),
      { reaches: [cleaned], numRuns: 500 },
    );
    expect(paintLine('done\u001B[2J')).toBe('done');
  });
});
