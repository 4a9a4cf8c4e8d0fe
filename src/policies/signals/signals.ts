// Reads signals from the agent's text as it arrives, with bounded memory. Splitting the text changes nothing.
import type { Signal, SignalWords } from '#kernel/model/signal.ts';
import { createActionReader } from './action-reader.ts';
import { createBoundedText } from '#base/bounded-text.ts';
import { createMarkerReader } from './marker-reader.ts';
import { createQuestionReader } from './question-reader.ts';
import { createReportReader } from './report-reader.ts';
import { createVerdictReader } from './verdict-reader.ts';
import type { VerdictReading } from './verdict-reader.ts';

export interface SignalReader {
  /** Text of the assistant itself, in pieces of any size. */
  onText(piece: string): void;
  /** A marker before a tool call does not count. */
  onToolCall(): void;
  end(): Signal;
}

/** Enough for a person and for the next prompt; the log keeps the rest. */
const reportBytesMax = 64 * 1024;

export function createSignalReader(words: SignalWords): SignalReader {
  if (words.actions === true) return readAction();
  const marker = createMarkerReader(words.done);
  if (words.reportTag === null) return readMarker(marker, words.needsInput);
  const report = readReport(marker, words.reportTag);
  return readVerdict(report, marker);
}

type MarkerReader = ReturnType<typeof createMarkerReader>;

interface ReportReader extends SignalReader {
  /** The text between the tags; null if there are none. */
  tagged(): string | null;
}

function readAction(): SignalReader {
  const reader = createActionReader();
  const recent = createBoundedText({ head: 0, tail: textMax });
  return {
    onText: (piece) => {
      reader.onText(piece);
      recent.add(piece);
    },
    onToolCall: () => {
      reader.onToolCall();
      recent.add('\n');
    },
    end: () => {
      const reading = reader.end();
      switch (reading.kind) {
        case 'report':
          return { kind: 'action', report: reading.report };
        case 'problems':
          return { kind: 'action-unreadable', problems: reading.problems, text: recent.text() };
        case 'none':
          return { kind: 'action-unreadable', problems: [noBlock], text: recent.text() };
      }
    },
  };
}

/** Of the agent's text, for the session that takes over. */
const textMax = 8 * 1024;

const noBlock = 'Your answer has no ACTION_RESULT block. End it with one, in the format that you were given.';

/** A question wins over the done marker. */
function readMarker(marker: MarkerReader, needsInput: string | undefined): SignalReader {
  const asked = needsInput === undefined ? null : createQuestionReader(needsInput);
  return {
    onText: (piece) => {
      marker.onText(piece);
      asked?.onText(piece);
    },
    onToolCall: () => {
      marker.onToolCall();
      asked?.onToolCall();
    },
    end: () => {
      const question = asked?.end() ?? null;
      if (question !== null) return { kind: 'needs-input', question };
      return marker.isDone() ? { kind: 'done' } : { kind: 'continue' };
    },
  };
}

/** A report wins over the marker. Without tag and marker, the whole output is an untagged report. */
function readReport(marker: MarkerReader, tag: string): ReportReader {
  const report = createReportReader(tag, reportBytesMax);
  const whole = createBoundedText({ head: 0, tail: reportBytesMax });
  return {
    tagged: () => report.end(),
    onText: (piece) => {
      marker.onText(piece);
      report.onText(piece);
      whole.add(piece);
    },
    onToolCall: () => {
      marker.onToolCall();
      report.onToolCall();
      whole.add('\n');
    },
    end: () => {
      const tagged = report.end();
      if (tagged !== null) return { kind: 'report', text: tagged };
      if (marker.isDone()) return { kind: 'done' };
      const text = whole.text().trim();
      return text === '' ? { kind: 'continue' } : { kind: 'report', text, isUntagged: true };
    },
  };
}

/** A verdict wins over marker and report; if they contradict it, nothing counts. */
function readVerdict(words: ReportReader, marker: MarkerReader): SignalReader {
  const verdict = createVerdictReader();
  return {
    onText: (piece) => {
      words.onText(piece);
      verdict.onText(piece);
    },
    onToolCall: () => {
      words.onToolCall();
      verdict.onToolCall();
    },
    end: () => combine(verdict.end(), words.end(), { report: words.tagged(), isDone: marker.isDone() }),
  };
}

interface Beside {
  readonly report: string | null;
  readonly isDone: boolean;
}

function combine(found: VerdictReading, words: Signal, { report, isDone }: Beside): Signal {
  switch (found.kind) {
    case 'none':
      return words;
    case 'unclear':
      return { kind: 'failed', reason: found.reason };
    case 'quoted':
      if (words.kind !== 'report' || report !== null) return words;
      return { kind: 'failed', reason: 'its verdict stands in a code block, where it is a quotation' };
    case 'said': {
      const { verdict } = found;
      if (verdict.verdict === 'pass' && report !== null)
        return { kind: 'failed', reason: 'it passes the work and reports failures' };
      if (verdict.verdict === 'fail' && isDone)
        return { kind: 'failed', reason: 'it fails the work and writes the marker of a pass' };
      return { kind: 'verdict', verdict: { ...verdict, text: report ?? verdict.text } };
    }
  }
}
