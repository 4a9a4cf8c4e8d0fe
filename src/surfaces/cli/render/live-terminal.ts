// The terminal of standard output, if it can be redrawn.
import { hasColour } from '#surfaces/cli/output.ts';
import type { Terminal } from '#surfaces/cli/screen/live-region.ts';
import { paintLine } from './colour.ts';

/** Null for a pipe, a file, a dumb terminal and in CI: those get plain lines. */
export function liveTerminal(now: () => number = Date.now): Terminal | null {
  const { stdout, env } = process;
  if (!stdout.isTTY || env['TERM'] === 'dumb' || (env['CI'] ?? '') !== '') return null;
  return {
    write: (text) => void (stdout.writable && stdout.write(text)),
    ...(hasColour(stdout) ? { paint: paintLine } : {}),
    get columns() {
      refreshSize(stdout);
      return stdout.columns > 0 ? stdout.columns : 80;
    },
    get rows() {
      return stdout.rows > 0 ? stdout.rows : 24;
    },
    now,
    onResize(listener) {
      stdout.on('resize', listener);
      return () => void stdout.off('resize', listener);
    },
  };
}

/** Node asks for the size only after a signal, and a tick of the spinner may come before it. */
function refreshSize(stream: NodeJS.WriteStream & { readonly _refreshSize?: () => void }): void {
  stream._refreshSize?.();
}
