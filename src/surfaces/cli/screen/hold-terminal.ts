// Holds a terminal for a menu, and restores it on every way out.
import { createRawTerminal, type RawTerminal, type TerminalStreams } from './raw-terminal.ts';
import { type StopListener, watchStops } from './watch-stops.ts';

export type Loss = 'interrupt' | 'terminate' | 'hang-up' | 'terminal-lost';

export interface TerminalListener {
  onBytes(bytes: Uint8Array): void;
  onResize(): void;
  /** Erase the frame: the process is about to stop. */
  beforeStop(): void;
  /** Draw the frame again. If `isUnannounced`, the cursor has moved. */
  afterStop(isUnannounced: boolean): void;
  /** The terminal has its own settings again; the frame can still be erased. */
  beforeLoss(): void;
  /** A signal or the end of the terminal took it away. */
  onLoss(why: Loss): void;
}

export interface HeldTerminal {
  readonly columns: number;
  readonly rows: number;
  begin(): void;
  /** Contract: writes nothing once the terminal is gone or released. */
  write(text: string): void;
  /** What Ctrl-Z does in a terminal that is not raw. */
  stop(): void;
  /** Contract: restores the terminal; a second call does nothing. */
  release(): void;
}

const losses = {
  SIGINT: 'interrupt',
  SIGTERM: 'terminate',
  SIGQUIT: 'terminate',
  SIGHUP: 'hang-up',
} as const;
type LossSignal = keyof typeof losses;
const lossSignals = Object.keys(losses) as LossSignal[];

export function holdTerminal(streams: TerminalStreams, listener: TerminalListener): HeldTerminal {
  const { input, output } = streams;
  let isReleased = false;
  const lose = (why: Loss): void => {
    if (isReleased) return;
    // This fails if the terminal is gone, and then nothing is written to it.
    terminal.makeNormal();
    listener.beforeLoss();
    // Before the release: a SIGHUP without a listener, even for a moment, ends the process.
    if (why === 'terminal-lost' || why === 'hang-up') outliveHangUps();
    release();
    listener.onLoss(why);
  };
  const terminal = createRawTerminal(streams, () => lose('terminal-lost'));
  const stops = watchStops(aroundStop(terminal, listener));
  const onData = (chunk: Buffer | string): void =>
    listener.onBytes(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  const onResize = (): void => listener.onResize();
  const onSignal = (name: NodeJS.Signals): void => lose(losses[name as LossSignal]);

  function release(): void {
    if (isReleased) return;
    isReleased = true;
    terminal.makeNormal();
    stops.dispose();
    input.off('data', onData).pause();
    output.off('resize', onResize);
    process.off('exit', release);
    for (const name of lossSignals) process.off(name, onSignal);
    terminal.dispose();
  }

  const begin = (): void => {
    input.on('data', onData);
    output.on('resize', onResize);
    process.on('exit', release);
    for (const name of lossSignals) process.on(name, onSignal);
    terminal.makeRaw();
    input.resume();
  };

  return {
    get columns() {
      return output.columns > 0 ? output.columns : 80;
    },
    get rows() {
      return output.rows > 0 ? output.rows : 24;
    },
    begin,
    write: (text) => void (isReleased || terminal.write(text)),
    stop: () => stops.stop(),
    release,
  };
}

function aroundStop(terminal: RawTerminal, listener: TerminalListener): StopListener {
  return {
    beforeStop() {
      listener.beforeStop();
      terminal.makeNormal();
    },
    afterStop(isUnannounced) {
      terminal.makeRaw();
      listener.afterStop(isUnannounced);
    },
  };
}

const ignore = (): void => {};

/** A closing window ends the input and sends several signals. Later ones must not interrupt saving. */
function outliveHangUps(): void {
  if (!process.listeners('SIGHUP').includes(ignore)) process.on('SIGHUP', ignore);
}
