import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Signal } from '#kernel/model/signal.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { createSignalReader } from './signals.ts';

const words = { done: '===VERIFIER_COMPLETE===', reportTag: 'verifier-report' };

/** A tool call separates the texts. */
function read(...texts: string[]): Signal {
  const reader = createSignalReader(words);
  for (const [index, text] of texts.entries()) {
    if (index > 0) reader.onToolCall();
    reader.onText(text);
  }
  return reader.end();
}

const said = (fields: object): string => `<verdict>\n${JSON.stringify(fields)}\n</verdict>`;
const pass = said({ verdict: 'pass', confidence: 0.9, summary: 'good', blockers: [] });
const fail = said({ verdict: 'fail', blockers: [{ what: 'it crashes', command: 'node x.js' }] });

describe("A reviewer's verdict", () => {
  it('A verdict is read with its confidence, summary and blockers [Q10]', () => {
    const blockers = [
      { what: 'a.js:3 leaks', severity: 'Critical', security: true, command: 'sh leak.sh' },
      'the README lies',
      { what: 'slow', severity: 'odd' },
    ];
    expect(read(said({ verdict: 'FAILED', confidence: 80, summary: 'no', blockers }))).toEqual({
      kind: 'verdict',
      verdict: {
        verdict: 'fail',
        confidence: 0.8,
        text: 'no',
        blockers: [
          { what: 'a.js:3 leaks', severity: 'critical', isSecurity: true, command: 'sh leak.sh' },
          { what: 'the README lies', severity: 'major', isSecurity: false, command: null },
          { what: 'slow', severity: 'major', isSecurity: false, command: null },
        ],
      },
    });
  });

  it.each([
    ['a code fence around the object', `<verdict>\n\`\`\`json\n{"verdict":"pass"}\n\`\`\`\n</verdict>`],
    ['words around the tags', `All good.\n\n**<verdict>**{"verdict":"pass"}</verdict> Bye.`],
    ['no closing tag', `<verdict>{"verdict":"pass"}`],
    ['the marker after it', `${pass}\n\n===VERIFIER_COMPLETE===`],
    ['the same verdict twice', `${pass}\n${pass}`],
    ['confidence as a word', said({ verdict: 'pass', confidence: 'High' })],
  ])('A verdict is read despite %s [Q10]', (_what, text) => {
    expect(read(text)).toMatchObject({ kind: 'verdict', verdict: { verdict: 'pass' } });
  });

  it.each([
    ['prose', `I would write <verdict>{"verdict":"pass"}</verdict> if it were right. It is not.`, 'report'],
    ['a code block', `For example:\n\`\`\`\n${pass}\n\`\`\`\n`, 'failed'],
    [
      'a code block before the real words',
      `\`\`\`\n${pass}\n\`\`\`\n<verifier-report>bad</verifier-report>`,
      'report',
    ],
  ])('A verdict that is quoted in %s does not count [Q10] [B3]', (_where, text, kind) => {
    expect(read(text).kind).toBe(kind);
  });

  it('A verdict before the last tool call does not count [Q10] [B3]', () => {
    expect(read(pass, 'Let me look again. It is broken.').kind).toBe('report');
    expect(read(pass, fail)).toMatchObject({ kind: 'verdict', verdict: { verdict: 'fail' } });
  });

  it.each([
    ['two different ones', `${pass}\n${fail}`],
    ['two different ones, the pass last', `${fail}\n${pass}`],
    ['a pass that names blockers', said({ verdict: 'pass', blockers: ['it crashes'] })],
    ['a pass with a report of failures', `<verifier-report>bad</verifier-report>\n${pass}`],
    ['a fail with the marker of a pass', `${fail}\n===VERIFIER_COMPLETE===`],
    ['no JSON', '<verdict>\nlooks good to me\n</verdict>\n===VERIFIER_COMPLETE==='],
    ['no known word', said({ verdict: 'maybe' })],
    ['an impossible confidence', said({ verdict: 'pass', confidence: -3 })],
    ['a blocker without words', said({ verdict: 'fail', blockers: [{ severity: 'major' }] })],
    ['one good and one broken', `${pass}\n<verdict>\n{"verdict":\n</verdict>`],
  ])('A contradictory or broken verdict does not count: %s [Q10]', (_what, text) => {
    expect(read(text).kind).toBe('failed');
  });

  it('A verdict carries the text of the report if there is one [Q10] [B6]', () => {
    expect(read(`<verifier-report>line 3 is wrong</verifier-report>\n${fail}`)).toMatchObject({
      kind: 'verdict',
      verdict: { verdict: 'fail', text: 'line 3 is wrong' },
    });
  });

  it('A verdict is the same however the text is cut into pieces [Q10]', () => {
    const texts = [pass, fail, `${pass}\n${fail}`, `\`\`\`\n${pass}\n\`\`\``, `<verdict>{"verdict":"pass"}`];
    const inside = countReached('a cut inside the verdict', { floor: 0.3 });
    assertProperty(
      fc.property(fc.constantFrom(...texts), fc.array(fc.nat(200), { maxLength: 6 }), (text, cuts) => {
        const reader = createSignalReader(words);
        let from = 0;
        const [start, end] = [text.indexOf('<verdict>'), text.lastIndexOf('</verdict>')];
        if (cuts.some((cut) => cut > start && cut < end)) inside.mark();
        for (const cut of [...cuts.toSorted((a, b) => a - b), text.length]) {
          reader.onText(text.slice(from, Math.max(from, cut)));
          from = Math.max(from, cut);
        }
        expect(reader.end()).toEqual(read(text));
      }),
      { numRuns: 200, reaches: [inside] },
    );
  });

  it('A verdict is found after a flood, and a flood inside it is bounded [Q10]', () => {
    const reader = createSignalReader(words);
    for (let count = 0; count < 3000; count += 1) reader.onText(`${'noise '.repeat(200)}\n`);
    reader.onText(said({ verdict: 'fail', blockers: Array.from({ length: 500 }, () => 'x'.repeat(9000)) }));
    const signal = reader.end();
    // A truncated verdict is no verdict; it never becomes a pass.
    expect(signal.kind).toBe('report');
    const short = createSignalReader(words);
    for (let count = 0; count < 3000; count += 1) short.onText(`${'noise '.repeat(200)}\n`);
    short.onText(said({ verdict: 'fail', blockers: Array.from({ length: 50 }, () => 'x'.repeat(3000)) }));
    const found = short.end();
    if (found.kind !== 'verdict') throw new Error(`a verdict was expected, not ${found.kind}`);
    expect(found.verdict.blockers).toHaveLength(20);
    expect(found.verdict.blockers[0]?.what).toHaveLength(2000);
  });
});
