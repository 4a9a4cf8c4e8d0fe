// Encodes one log line of text cheaply: an agent may print a gigabyte, and its log must keep up.
// JSON.stringify takes 3 ns per character, and everything around it less than one. So WebAssembly quotes
// sixteen bytes at a time; `quote.wat` is its source.
import { Buffer } from 'node:buffer';

/** The assembled `quote.wat`; a test checks that they match. */
export const quoterBinary: Buffer = Buffer.from(
  [
    'AGFzbQEAAAABCAFgA39/fwF/AwIBAAUDAQAsBxICBm1lbW9yeQIABXF1b3RlAAAKtgIBswIDAX8BewJ/IAAgAWohAwJAA0ACQANA',
    'IABBEGogA00EQCAA/QAEACEEIAIgBP0LBAAgBEEg/Q/9JiAEQSL9D/0jIARB3AD9D/0j/VD9UP1kIQUgBQRAIAVoIQUgACAFaiEA',
    'IAIgBWohAgwDCyAAQRBqIQAgAkEQaiECDAELCwNAIAAgA08NAyAALQAAIQYgBkEgSSAGQSJGIAZB3ABGcnINASACIAY6AAAgAEEB',
    'aiEAIAJBAWohAgwACwsgAC0AACEGIABBAWohACACQdwAOgAAIAYtAAAgBiAGQSBJGyEFIAUEQCACIAU6AAEgAkECaiECBSACQfXg',
    'wIEDNgABIAJBMCAGQQR2ajoABCAGQQ9xIQYgAiAGQTBB1wAgBkEKSRtqOgAFIAJBBmohAgsMAAsLIAILCwwBAEEICwZidG4AZnI=',
  ].join(''),
  'base64',
);

/** Memory of the module: a table of escapes, the text as UTF-8, the line. A character becomes at most six. */
const textLengthMax = 128 * 1024;
const textAt = 64;
const lineAt = textAt + 3 * textLengthMax + 64;

interface Quoter {
  readonly bytes: Buffer;
  readonly quote: (from: number, length: number, to: number) => number;
}

let quoter: Quoter | null | undefined;

/** Passes the encoded line to `write`; the bytes are valid only until it returns. */
export function encodeTextLine(at: number, text: string, write: (bytes: Buffer) => void): void {
  if (quoter === undefined) quoter = createQuoter();
  const head = `{"at":${at},"type":"text","text":`;
  // A lone surrogate has no UTF-8; JSON.stringify handles it.
  if (quoter === null || text.length > textLengthMax || !text.isWellFormed()) {
    return write(Buffer.from(`${head}${JSON.stringify(text)}}\n`));
  }
  const { bytes } = quoter;
  const length = bytes.write(text, textAt);
  const begin = lineAt + bytes.write(`${head}"`, lineAt);
  const end = quoter.quote(textAt, length, begin);
  write(bytes.subarray(lineAt, end + bytes.write('"}\n', end)));
}

/** The part of WebAssembly used here; the types of Node lack its values. */
interface Assembly {
  readonly Module: new (binary: Uint8Array) => object;
  readonly Instance: new (module: object) => {
    readonly exports: { readonly memory: { readonly buffer: ArrayBuffer }; readonly quote: Quoter['quote'] };
  };
}

/** Null without WebAssembly (`node --jitless`). */
function createQuoter(): Quoter | null {
  const { WebAssembly: assembly } = globalThis as unknown as { readonly WebAssembly?: Assembly };
  if (assembly === undefined) return null;
  const module = new assembly.Module(quoterBinary);
  const { memory, quote } = new assembly.Instance(module).exports;
  return { bytes: Buffer.from(memory.buffer), quote };
}
