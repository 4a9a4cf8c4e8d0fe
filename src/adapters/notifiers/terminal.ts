// Notifies through the run's terminal: the bell, and OSC 9, which many terminals show on the desktop.
import type { Notifier } from '#ports/notifier.ts';
import { oneLine } from './plain.ts';

export type TerminalMethod = 'bell' | 'osc9' | 'both';

export interface TerminalOptions {
  readonly method: TerminalMethod;
  /** Null without an interactive terminal: none, a dumb one, or CI. */
  readonly write: ((text: string) => void) | null;
  /** The variable TERM. */
  readonly term: string;
}

const bell = '\u0007';
const textMax = 200;

export function createTerminalNotifier({ method, write, term }: TerminalOptions): Notifier {
  // The Linux console prints unknown sequences as letters.
  const inUse = term === 'linux' ? 'bell' : method;
  return {
    name: 'terminal',
    async send({ title, text }) {
      if (write === null) return { kind: 'skipped', why: 'there is no terminal' };
      // Never starts with a digit: some terminals treat `9;4;…` and similar as commands.
      const osc9 = `\u001B]9;Untildone: ${oneLine(`${title}. ${text}`, textMax)}\u001B\\`;
      write(`${inUse === 'osc9' ? '' : bell}${inUse === 'bell' ? '' : osc9}`);
      return { kind: 'delivered' };
    },
  };
}
