// A terminal whose screen can be read, as a person sees it.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Place } from './place.ts';
import { isAlive } from './processes.ts';

export interface Screen {
  /** As one presses the keys; the line is not sent yet. */
  write(text: string): void;
  key(name: string): void;
  /** The window gets another size; what is in it is broken into other rows. */
  resize(columns: number, lines: number): void;
  /** The screen alone, row by row. */
  visible(): string;
  /** The screen and everything that scrolled out of it. */
  text(): string;
  isCursorShown(): boolean;
  /** Ends the terminal and waits until its processes are gone. */
  close(): void;
}

/** Why there is no such terminal here; empty when there is one. */
export const noScreen: string =
  spawnSync('tmux', ['-V']).status === 0 ? '' : ' — NOT RUN: tmux is not installed';

export interface ScreenOptions {
  readonly columns?: number;
  readonly lines?: number;
  readonly env?: { readonly [name: string]: string };
}

/** With a shell in it. */
export function openScreen(
  place: Pick<Place, 'folder' | 'repo' | 'env'>,
  { columns = 100, lines = 40, env = {} }: ScreenOptions = {},
): Screen {
  const socket = join(place.folder, 'tmux');
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
      cwd: place.repo,
      env: { ...place.env, ...env, TERM: 'xterm-256color', PS1: '$ ' },
      encoding: 'utf8',
    });
  tmux('new-session', '-d', '-x', String(columns), '-y', String(lines), '/bin/sh');
  const pids = tmux('display-message', '-p', '#{pid} #{pane_pid}').trim().split(' ').map(Number);
  return {
    write: (text) => void tmux('send-keys', '-l', text),
    key: (name) => void tmux('send-keys', name),
    resize: (width, height) => void tmux('resize-window', '-x', String(width), '-y', String(height)),
    visible: () => tmux('capture-pane', '-p'),
    text: () => tmux('capture-pane', '-p', '-J', '-S', '-'),
    isCursorShown: () => tmux('display-message', '-p', '#{cursor_flag}').trim() === '1',
    close: () => {
      tmux('kill-server');
      waitUntilGone(pids);
    },
  };
}

/** `kill-server` answers before the server and its shell have ended: the server signs off in utmp first, by a child. */
function waitUntilGone(pids: readonly number[]): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let looks = 0; looks < 6_000 && pids.some(isAlive); looks++) Atomics.wait(pause, 0, 0, 10);
}
