// A menu in a terminal: arrows and letters, a line of text for the agent, asides that are printed above it.
import { errorText } from '#base/error-text.ts';
import type { Key } from './decode-keys.ts';
import type { Size } from './frame.ts';
import type { Loss } from './hold-terminal.ts';
import { menuLines } from './menu-lines.ts';
import { openMenuScreen } from './menu-screen.ts';
import type { Aside, MenuEntries, MenuState, Press } from './menu-state.ts';
import { assertDistinctKeys, firstState, press } from './menu-state.ts';
import type { TerminalStreams } from './raw-terminal.ts';

export interface ShownAside extends Aside {
  show(): Promise<string>;
}

export interface Menu extends TerminalStreams, MenuEntries {
  /** State and criteria above the choices. Long lines are cut; a function can wrap them itself. */
  readonly head: readonly string[] | ((columns: number) => readonly string[]);
  readonly asides: readonly ShownAside[];
  /** Closes the menu. Its reason is a sentence, which is printed in place of the menu. */
  readonly signal: AbortSignal;
  readonly isColoured: boolean;
}

export type MenuResult =
  | { readonly kind: 'chosen'; readonly name: string; readonly text: string | null }
  | { readonly kind: 'left'; readonly why: 'exit' | 'end-of-input' | Loss }
  | { readonly kind: 'closed'; readonly why: string };

/**
 * Contract: the terminal is raw only until this settles, and is then as it was. Keys pressed before the menu
 * is shown choose nothing. After a Ctrl-C, the next one is an ordinary SIGINT. Ask `canShowMenu` first.
 */
export async function showMenu(menu: Menu): Promise<MenuResult> {
  assertDistinctKeys(menu);
  const { promise, resolve, reject } = Promise.withResolvers<MenuResult>();
  let state: MenuState = firstState;
  const screen = openMenuScreen(menu, {
    linesFor: (size) => menuLines({ ...view(menu, size), state }),
    onKeys: (keys) => pressAll(keys),
    onLoss: (why) => resolve({ kind: 'left', why }),
    onError: reject,
  });
  const show = (next: MenuState): void => {
    state = next;
    screen.draw();
  };
  const finish = (result: MenuResult, trace = ''): void => {
    screen.close(trace);
    resolve(result);
  };
  const readAside = async (aside: ShownAside): Promise<void> => {
    show({ ...state, reading: aside.name });
    const text = await textOf(aside);
    state = { ...state, reading: null };
    screen.printAbove(`── ${aside.name} ──\n${text}`);
  };
  const act = (pressed: Press): void => {
    switch (pressed.kind) {
      case 'shown':
        return show(pressed.state);
      case 'aside': {
        const aside = menu.asides[pressed.index];
        return aside === undefined ? undefined : void readAside(aside);
      }
      case 'suspended':
        return screen.stop();
      case 'chosen':
        return finish(pressed, traceOf(pressed));
      case 'left':
        return finish(pressed);
      case 'ignored':
        return;
    }
  };
  const pressAll = (keys: readonly Key[]): void => {
    for (const [index, key] of keys.entries()) {
      const pressed = press(state, key, menu);
      act(pressed);
      if (pressed.kind === 'left' && pressed.why === 'interrupt')
        return interruptAgain(keys.slice(index + 1));
      // Keys after the end of a menu were not meant for the next one.
      if (pressed.kind !== 'shown' && pressed.kind !== 'ignored') return;
    }
  };
  return whileHearing(menu.signal, promise, (why) => finish({ kind: 'closed', why }, why));
}

async function whileHearing<T>(
  signal: AbortSignal,
  promise: Promise<T>,
  close: (why: string) => void,
): Promise<T> {
  const onAbort = (): void => close(reasonOf(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** A second Ctrl-C that was read with the first has the same effect as in a terminal that is not raw. */
function interruptAgain(keys: readonly Key[]): void {
  if (keys.some(({ kind }) => kind === 'interrupt')) process.kill(process.pid, 'SIGINT');
}

function view(menu: Menu, { columns, rows }: Size) {
  const head = typeof menu.head === 'function' ? menu.head(columns) : menu.head;
  return { head, entries: menu, columns, rows, isColoured: menu.isColoured };
}

async function textOf(aside: ShownAside): Promise<string> {
  try {
    return await aside.show();
  } catch (error) {
    return `Cannot show this: ${errorText(error)}`;
  }
}

function traceOf({ name, text }: { readonly name: string; readonly text: string | null }): string {
  return text === null ? `› ${name}` : `› ${name}: ${text}`;
}

function reasonOf({ reason }: AbortSignal): string {
  return errorText(reason);
}
