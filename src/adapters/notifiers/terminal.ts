// The terminal that the run was started from: its bell, and OSC 9, which many terminals show as a notification of the desktop.
import type { Notifier } from '#ports/notifier.ts';
import { oneLine } from './plain.ts';

export type TerminalSign = 'bell' | 'osc9' | 'both';

export interface TerminalOptions {
  readonly sign: TerminalSign;
  /** Null where nobody sits: no terminal, a dumb one, CI. */
  readonly write: ((text: string) => void) | null;
  /** The variable TERM. */
  readonly term: string;
}

const bell = '\u0007';
const textMax = 200;

export function createTerminalNotifier({ sign, write, term }: TerminalOptions): Notifier {
  // The console of Linux shows what it does not know as letters.
  const signs = term === 'linux' ? 'bell' : sign;
  return {
    name: 'terminal',
    async send({ title, text }) {
      if (write === null) return { kind: 'skipped', why: 'there is no terminal' };
      // Never begins with a digit: to some terminals `9;4;…` and its like are orders.
      const osc9 = `\u001B]9;Untildone: ${oneLine(`${title}. ${text}`, textMax)}\u001B\\`;
      write(`${signs === 'osc9' ? '' : bell}${signs === 'bell' ? '' : osc9}`);
      return { kind: 'delivered' };
    },
  };
}
