// The terminal side of a menu: draws it, redraws it after a resize or a continue, and removes it.
import { clean } from '#surfaces/cli/render/words.ts';
import { createKeyDecoder, type Key } from './decode-keys.ts';
import { createFrame, type Size } from './frame.ts';
import { holdTerminal, type Loss } from './hold-terminal.ts';
import type { Line } from './line.ts';
import type { TerminalStreams } from './raw-terminal.ts';

export interface ScreenListener {
  /** Called with each new size. */
  linesFor(size: Size): readonly Line[];
  /** Contract: without keys that were pressed before the menu was visible. */
  onKeys(keys: readonly Key[]): void;
  /** The screen is closed already. */
  onLoss(why: Loss): void;
  /** An error in one of these calls. The screen is closed already. */
  onError(error: unknown): void;
}

export interface MenuScreen {
  draw(): void;
  /** Between the earlier output and the menu. */
  printAbove(text: string): void;
  /** Until the shell continues the process. */
  stop(): void;
  /** Contract: the terminal is restored, with `trace` in place of the menu. A second call does nothing. */
  close(trace: string): void;
}

export function openMenuScreen(streams: TerminalStreams, listener: ScreenListener): MenuScreen {
  const frame = createFrame();
  let phase: 'opening' | 'shown' | 'closed' = 'opening';
  const erase = (): void => terminal.write(frame.erase(terminal));
  const draw = (): void => {
    if (phase === 'shown') terminal.write(frame.draw(listener.linesFor(terminal), terminal));
  };
  const close = (trace: string): void => {
    if (phase === 'closed') return;
    phase = 'closed';
    keys.dispose();
    erase();
    terminal.write(trace === '' ? '' : `${clean(trace)}\n`);
    terminal.release();
  };
  const safely = (act: () => void): void => {
    if (phase === 'closed') return;
    try {
      act();
    } catch (error) {
      close('');
      listener.onError(error);
    }
  };
  const keys = readKeys((pressed) => {
    if (phase === 'shown') safely(() => listener.onKeys(pressed));
  });
  const terminal = holdTerminal(streams, {
    onBytes: (bytes) => keys.push(bytes),
    onResize: () => safely(draw),
    beforeStop: erase,
    afterStop(isUnannounced) {
      if (isUnannounced) frame.forget();
      safely(draw);
    },
    beforeLoss: erase,
    onLoss(why) {
      close('');
      listener.onLoss(why);
    },
  });
  terminal.begin();
  onceTypedIsRead(() => {
    if (phase === 'opening') phase = 'shown';
    safely(draw);
  });
  return {
    draw: () => safely(draw),
    printAbove(text) {
      if (phase !== 'shown') return;
      erase();
      frame.forget();
      terminal.write(`${clean(text).trimEnd()}\n\n`);
      safely(draw);
    },
    stop: () => terminal.stop(),
    close,
  };
}

/** By the second turn of the event loop, everything typed before has been read. */
function onceTypedIsRead(act: () => void): void {
  setImmediate(() => setImmediate(act));
}

/** How long an ESC waits for its sequence. It chooses nothing, and a late sequence is still read. */
const escapeMs = 100;

function readKeys(onKeys: (keys: readonly Key[]) => void) {
  const decoder = createKeyDecoder();
  let timer: NodeJS.Timeout | undefined;
  return {
    push(bytes: Uint8Array): void {
      clearTimeout(timer);
      onKeys(decoder.push(bytes));
      if (decoder.isUndecided()) timer = setTimeout(() => onKeys(decoder.settle()), escapeMs);
    },
    dispose: () => clearTimeout(timer),
  };
}
