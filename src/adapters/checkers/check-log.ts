// The output of a check: all of it in a file, its end in memory, its test count as it comes.
import { StringDecoder } from 'node:string_decoder';
import type { FileHandle } from 'node:fs/promises';
import type { TestTally } from '#kernel/criterion.ts';
import type { Redactor } from '#ports/redactor.ts';
import { countTests, stripAnsi, type TestCount } from './zero-tests.ts';

export interface CheckLog {
  /** The promise holds the program back while the disk is slow. */
  add(chunk: Buffer, stream: 'stdout' | 'stderr'): Promise<void>;
  /** May be called again. */
  close(): Promise<{ readonly tail: string; readonly tests: ReturnType<TestCount['finding']> }>;
}

// For prompts: the end of an output says what failed; the log has the rest.
const tailBytesMax = 4096;
// Colours and cursor moves are taken out afterwards, so more is kept than is shown.
const keptBytesMax = 4 * tailBytesMax;
// A check that prints without end must not fill the disk.
const logBytesMax = 64 * 1024 * 1024;

export function openLog(
  file: FileHandle,
  redactor: Redactor,
  onText: (text: string) => void = () => {},
): CheckLog {
  // Each stream has its own characters and lines, however the pieces are mixed.
  const streams = { stdout: openStream(redactor), stderr: openStream(redactor) };
  let kept = Buffer.alloc(0);
  let written = 0;
  let last: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | null = null;
  const write = (chunk: Buffer): Promise<void> => {
    if (written >= logBytesMax) return Promise.resolve();
    const part = chunk.subarray(0, logBytesMax - written);
    written += part.length;
    const done = last.then(() => file.write(part)).then(() => undefined);
    // A full disk costs the log, not the verdict.
    last = done.catch(() => undefined);
    return last.then(() => undefined);
  };
  const take = (text: string): Promise<void> => {
    if (text === '') return Promise.resolve();
    const bytes = Buffer.from(text);
    const joined = Buffer.concat([kept, bytes]);
    kept = Buffer.from(joined.subarray(Math.max(0, joined.length - keptBytesMax)));
    return write(bytes);
  };
  return {
    add(chunk, stream) {
      const { decoder, tests, redacting } = streams[stream];
      const text = decoder.write(chunk);
      tests.add(text);
      onText(text);
      return take(redacting.push(text));
    },
    async close() {
      for (const { decoder, redacting } of Object.values(streams)) {
        await take(redacting.push(decoder.end()) + redacting.end());
      }
      await last;
      closing ??= finish(file, written >= logBytesMax);
      await closing;
      return { tail: lastBytes(stripAnsi(fromCharacter(kept)), tailBytesMax), tests: combine(streams) };
    },
  };
}

async function finish(file: FileHandle, isCut: boolean): Promise<void> {
  if (isCut) await file.write('\n[the rest was left out]\n').catch(() => undefined);
  await file.close().catch(() => undefined);
}

type Findings = ReturnType<TestCount['finding']>;

function openStream(redactor: Redactor) {
  return { decoder: new StringDecoder('utf8'), tests: countTests(), redacting: redactor.stream() };
}

function combine(streams: {
  readonly stdout: { tests: TestCount };
  readonly stderr: { tests: TestCount };
}): Findings {
  const [out, err] = [streams.stdout.tests.finding(), streams.stderr.tests.finding()];
  if (out.kind === 'some' && err.kind === 'some') return { kind: 'some', tests: sum(out.tests, err.tests) };
  if (out.kind === 'some' || err.kind === 'unrecognised') return out;
  return err.kind === 'some' || out.kind === 'unrecognised' ? err : out;
}

function sum(a: TestTally, b: TestTally): TestTally {
  return { executed: a.executed + b.executed, skipped: a.skipped + b.skipped };
}

/** From the first whole character on. */
function fromCharacter(bytes: Buffer): string {
  let start = 0;
  while (start < Math.min(4, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start).toString('utf8');
}

function lastBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= bytesMax ? text : fromCharacter(bytes.subarray(bytes.length - bytesMax));
}
