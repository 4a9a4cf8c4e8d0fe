import { hasColour, printJsonLine, printNote } from '#surfaces/cli/output.ts';
import { paintLine } from './colour.ts';
import { type Display, createLineDisplay } from './lines.ts';
import { createLiveDisplay } from './live.ts';

/** Live in a terminal that can be redrawn, lines elsewhere. `now` replaces the clock for a replay. */
export function chooseDisplay(isJson: boolean, now: () => number = Date.now): Display {
  if (isJson) return createJsonDisplay();
  const { stdout, env } = process;
  const isPlain =
    !stdout.isTTY || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb' || (env['CI'] ?? '') !== '';
  if (isPlain) return createLineDisplay(now);
  return createLiveDisplay({
    write: (text) => void (stdout.writable && stdout.write(text)),
    ...(hasColour(stdout) ? { paint: paintLine } : {}),
    get columns() {
      return stdout.columns > 0 ? stdout.columns : 80;
    },
    get rows() {
      return stdout.rows > 0 ? stdout.rows : 24;
    },
    now,
  });
}

/** One event per line, exactly as recorded. Output of agents is in their logs. */
function createJsonDisplay(): Display {
  return {
    onEvents(_, events) {
      for (const event of events) printJsonLine(event);
    },
    onNote: (text) => printJsonLine({ type: 'note', text }),
    say: printNote,
    close() {},
  };
}
