import { printJsonLine, printNote } from '#surfaces/cli/output.ts';
import { type Display, createLineDisplay } from './lines.ts';
import { createLiveDisplay } from './live.ts';
import { liveTerminal } from './live-terminal.ts';

/** Live in a terminal that can be redrawn, lines elsewhere. `now` replaces the clock for a replay. */
export function chooseDisplay(isJson: boolean, now: () => number = Date.now): Display {
  if (isJson) return createJsonDisplay();
  const terminal = liveTerminal(now);
  return terminal === null ? createLineDisplay(now) : createLiveDisplay(terminal);
}

/** One event per line, exactly as recorded. Output of agents is in their logs. */
function createJsonDisplay(): Display {
  return {
    onEvents(_, events) {
      for (const event of events) printJsonLine(event);
    },
    onNote: (text) => printJsonLine({ type: 'note', text }),
    print: printNote,
    close() {},
  };
}
