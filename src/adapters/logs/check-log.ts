// Collects a check's output: start and end in a file, the end in memory, and a running test count.
import { StringDecoder } from 'node:string_decoder';
import type { FileHandle } from 'node:fs/promises';
import { boundedOutput } from '#analysis/output/bounded-output.ts';
import type { TestTally } from '#kernel/model/criterion.ts';
import type { LogCap } from './log-cap.ts';
import type { Redactor } from '#ports/redactor.ts';
import { openCappedLog } from './capped-log.ts';
import { countTests, type TestCount } from '#analysis/output/zero-tests.ts';
import { stripAnsi } from '#analysis/test-runners/reports.ts';

export interface CheckLog {
  /** The promise slows the program down while the disk is slow. */
  add(chunk: Buffer, stream: 'stdout' | 'stderr'): Promise<void>;
  /** May be called again. `output` has the start and the end, without secrets. */
  close(): Promise<{
    readonly tail: string;
    readonly output: string;
    readonly tests: ReturnType<TestCount['finding']>;
  }>;
}

// For prompts: the end of an output shows the failure; the log has the rest.
const tailBytesMax = 4096;
// Color and cursor codes are removed later, so more is kept than shown.
const keptBytesMax = 4 * tailBytesMax;
// The parts of a longer output for excerpts: most runners report failures at the end.
const sampleMax = { head: 128 * 1024, tail: 512 * 1024 };
// A longer line is not held back until its end.
const lineMax = 16 * 1024;

export function openLog(
  file: FileHandle,
  redactor: Redactor,
  cap: LogCap,
  onText: (text: string) => void = () => {},
): CheckLog {
  // Each stream has its own decoder and lines, because chunks of both are mixed.
  const streams = { stdout: openStream(redactor), stderr: openStream(redactor) };
  const sample = boundedOutput(sampleMax.head, sampleMax.tail, '\n[…]\n');
  let kept = Buffer.alloc(0);
  const log = openCappedLog(file, cap);
  const keep = (text: string): void => {
    onText(text);
    sample.add(text);
    const joined = Buffer.concat([kept, Buffer.from(text)]);
    kept = Buffer.from(joined.subarray(Math.max(0, joined.length - keptBytesMax)));
  };
  return {
    add(chunk, stream) {
      const { decoder, tests, redacting, lines } = streams[stream];
      const text = decoder.write(chunk);
      tests.add(text);
      const redacted = redacting.push(text);
      keep(lines.push(redacted));
      return log.write(Buffer.from(redacted));
    },
    async close() {
      for (const { decoder, redacting, lines } of Object.values(streams)) {
        const text = decoder.end();
        const redacted = redacting.push(text) + redacting.end();
        keep(lines.push(redacted) + lines.end());
        await log.write(Buffer.from(redacted));
      }
      await log.close();
      const tail = lastBytes(stripAnsi(fromCharacter(kept)), tailBytesMax);
      return { tail, output: sample.text(), tests: combine(streams) };
    },
  };
}

type Findings = ReturnType<TestCount['finding']>;

function openStream(redactor: Redactor) {
  return {
    decoder: new StringDecoder('utf8'),
    tests: countTests(),
    redacting: redactor.stream(),
    lines: wholeLines(),
  };
}

/** Holds a line back until it is complete: the other stream must not write into it. */
function wholeLines() {
  let held = '';
  return {
    push(text: string): string {
      const all = held + text;
      const end = all.length - all.lastIndexOf('\n') > lineMax ? all.length : all.lastIndexOf('\n') + 1;
      held = all.slice(end);
      return all.slice(0, end);
    },
    end(): string {
      const rest = held;
      held = '';
      return rest;
    },
  };
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

/** Starts at the first whole character. */
function fromCharacter(bytes: Buffer): string {
  let start = 0;
  while (start < Math.min(4, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start).toString('utf8');
}

function lastBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= bytesMax ? text : fromCharacter(bytes.subarray(bytes.length - bytesMax));
}
