// Reads what an agent says, as it says it, with bounded memory. The same text gives the same signal however it is cut.
import type { Signal, SignalWords } from '#kernel/signal.ts';
import { createBoundedText } from './bounded-text.ts';
import { createMarkerReader } from './marker-reader.ts';
import { createReportReader } from './report-reader.ts';

export interface SignalReader {
  /** Text of the assistant itself, in pieces of any size. */
  onText(piece: string): void;
  /** What was said before a tool call is no last word. */
  onToolCall(): void;
  end(): Signal;
}

/** Enough for a person and for the next prompt; the log has the rest. */
const reportBytesMax = 64 * 1024;

export function createSignalReader(words: SignalWords): SignalReader {
  const marker = createMarkerReader(words.done);
  return words.reportTag === null ? readMarker(marker) : readReport(marker, words.reportTag);
}

type MarkerReader = ReturnType<typeof createMarkerReader>;

function readMarker(marker: MarkerReader): SignalReader {
  return {
    onText: marker.onText,
    onToolCall: marker.onToolCall,
    end: () => (marker.isDone() ? { kind: 'done' } : { kind: 'continue' }),
  };
}

/** A report beats the marker; without a tag the whole output is the report, unless it says done. */
function readReport(marker: MarkerReader, tag: string): SignalReader {
  const report = createReportReader(tag, reportBytesMax);
  const whole = createBoundedText({ head: 0, tail: reportBytesMax });
  return {
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
      return text === '' ? { kind: 'continue' } : { kind: 'report', text };
    },
  };
}
