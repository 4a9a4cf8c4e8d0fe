// `--json`: one event a line, exactly as it was recorded. What agents print is in their logs.
import { printJsonLine, printNote } from '#surfaces/cli/output.ts';
import type { Display } from './lines.ts';

export function createJsonDisplay(): Display {
  return {
    onEvents(_, events) {
      for (const event of events) printJsonLine(event);
    },
    onNote: (text) => printJsonLine({ type: 'note', text }),
    say: printNote,
    close() {},
  };
}
