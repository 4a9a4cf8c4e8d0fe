import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import type { Key } from './decode-keys.ts';
import { createKeyDecoder } from './decode-keys.ts';

const esc = '\u001B';

function keysOf(...pieces: (string | Uint8Array)[]): Key[] {
  const decoder = createKeyDecoder();
  return pieces.flatMap((piece) => decoder.push(Buffer.from(piece as string)));
}

/** Short: a character as itself, everything else by its kind. */
function names(keys: readonly Key[]): string[] {
  return keys.map((key) => (key.kind === 'character' || key.kind === 'paste' ? key.text : `<${key.kind}>`));
}

describe('keys', () => {
  it('Arrows are read in each of the forms that terminals send [A4]', () => {
    const up = [`${esc}[A`, `${esc}OA`, `${esc}[1;2A`];
    const down = [`${esc}[B`, `${esc}OB`, `${esc}[1;5B`];
    expect(names(keysOf(...up, ...down))).toEqual(['<up>', '<up>', '<up>', '<down>', '<down>', '<down>']);
  });

  it('Enter, Backspace and the control keys have their meaning [A4]', () => {
    expect(names(keysOf('\r\n\u007F\b\u0003\u0004\u001A\u0015\u0017\f'))).toEqual([
      '<enter>',
      '<enter>',
      '<backspace>',
      '<backspace>',
      '<interrupt>',
      '<end-of-input>',
      '<suspend>',
      '<erase-line>',
      '<erase-word>',
      '<redraw>',
    ]);
  });

  it('Letters with umlauts, of other scripts and emoji are one character each', () => {
    expect(names(keysOf('äé手👋'))).toEqual(['ä', 'é', '手', '👋']);
  });

  it('A key that the menu does not know is never read as a letter [A4]', () => {
    const unknown = [
      `${esc}[C${esc}[D${esc}[H${esc}[F`, // right, left, home, end
      `${esc}[3~${esc}[15~${esc}[1;5C${esc}OP`, // delete, F5, Ctrl-right, F1
      `${esc}[[A${esc}[[E`, // F1 and F5 of the Linux console
      `${esc}d${esc}v${esc}\u007F`, // with Alt
      '\u0000\u0001\u001C\u0085\u202E\uFEFF\t', // control, direction, byte order
    ];
    expect(names(keysOf(...unknown))).toEqual([]);
    expect(names(keysOf(Buffer.from([0xff, 0xc3, 0x28])))).toEqual(['(']);
  });

  it('The late reply of a terminal to a query of another program selects nothing [A4]', () => {
    const answers = `${esc}]11;rgb:1e1e/bdbd/cccc\u0007${esc}]11;rgb:dd/bb/cc${esc}\\${esc}[?62;c${esc}[12;40R${esc}P1+r${esc}\\`;
    expect(names(keysOf(answers, 'v'))).toEqual(['v']);
  });

  it.each(['', '[', '[1;', 'O', ']11;rgb', '[[', 'P'])(
    'Ctrl-C is recognised in the middle of ESC %s',
    (start) => {
      expect(names(keysOf(`${esc}${start}\u0003`))).toEqual(['<interrupt>']);
    },
  );

  it('A string that never ends is given up, and keys are recognised again', () => {
    expect(names(keysOf(`${esc}]${'x'.repeat(4097)}`, 'd'))).toEqual(['d']);
  });
});

describe('a paste', () => {
  it('A paste is one key, whatever its content [A4]', () => {
    const text = `one\r\ntwo \u0003 ${esc}[A d`;
    expect(keysOf(`${esc}[200~${text}${esc}[201~`, 'v')).toEqual([
      { kind: 'paste', text },
      { kind: 'character', text: 'v' },
    ]);
  });

  it('A paste of megabytes is cut, and its end is still found', () => {
    const [paste, key] = keysOf(`${esc}[200~${'x'.repeat(3_000_000)}${esc}[201~`, 'v');
    expect(paste).toMatchObject({ kind: 'paste', text: 'x'.repeat(16_384) });
    expect(key).toEqual({ kind: 'character', text: 'v' });
  });
});

describe('the key Esc', () => {
  it('An ESC that nothing follows is a key once the terminal is quiet', () => {
    const decoder = createKeyDecoder();
    expect(names(decoder.push(Buffer.from(esc)))).toEqual([]);
    expect(decoder.isUndecided()).toBe(true);
    expect(names(decoder.settle())).toEqual(['<escape>']);
    expect(decoder.isUndecided()).toBe(false);
    expect(decoder.settle()).toEqual([]);
    expect(names(decoder.push(Buffer.from('d')))).toEqual(['d']);
  });

  it('The rest of a sequence that arrives after that is still no letter', () => {
    for (const rest of ['[B', 'OB']) {
      const decoder = createKeyDecoder();
      decoder.push(Buffer.from(esc));
      decoder.settle();
      expect(names(decoder.push(Buffer.from(rest)))).toEqual(['<down>']);
    }
  });

  it('An ESC before another one is a key', () => {
    expect(names(keysOf(`${esc}${esc}[A`))).toEqual(['<escape>', '<up>']);
  });

  it('No key is decided in the middle of a sequence', () => {
    const decoder = createKeyDecoder();
    decoder.push(Buffer.from(`${esc}[1;`));
    expect(decoder.isUndecided()).toBe(false);
    expect(decoder.settle()).toEqual([]);
    expect(names(decoder.push(Buffer.from('2A')))).toEqual(['<up>']);
  });
});

it('The same bytes give the same keys, wherever reads split them [A4]', () => {
  const inside = countReached('a cut inside a key', { floor: 0.5 });
  const inPaste = countReached('a paste that is cut', { floor: 0.1 });
  const known = fc.constantFrom(
    'd',
    'ü',
    '手',
    '👋',
    '\r',
    '\u0003',
    `${esc}[A`,
    `${esc}OB`,
    `${esc}[1;2A`,
    esc,
  );
  const pasted = fc.string({ maxLength: 12 }).map((text) => `${esc}[200~${text}${esc}[201~`);
  const noise = fc.uint8Array({ maxLength: 6 });
  const pieces = fc.array(fc.oneof({ weight: 5, arbitrary: known }, pasted, noise), {
    minLength: 1,
    maxLength: 12,
  });
  assertProperty(
    fc.property(pieces, fc.array(fc.nat({ max: 9999 }), { minLength: 1, maxLength: 12 }), (parts, cuts) => {
      const buffers = parts.map((part) => Buffer.from(part as string));
      const bytes = Buffer.concat(buffers);
      const places = [
        0,
        ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b),
        bytes.length,
      ];
      let from = 0;
      for (const [index, { length }] of buffers.entries()) {
        const isCut = places.some((at) => at > from && at < from + length);
        if (isCut) inside.mark();
        if (isCut && String(parts[index]).startsWith(`${esc}[200~`)) inPaste.mark();
        from += length;
      }
      const read = keysOf(...places.slice(1).map((to, index) => bytes.subarray(places[index], to)));
      expect(read).toEqual(keysOf(bytes));
    }),
    { reaches: [inside, inPaste], numRuns: 500 },
  );
});
