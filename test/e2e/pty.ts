// A pseudo-terminal with readable settings, whose other end can be closed.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../tidy/repository.ts';
import { until } from './wait.ts';

const host = join(root, 'test/e2e/pty-host.py');

/** Why there is no pseudo-terminal here; empty when there is one. */
export const noPty: string =
  spawnSync('python3', [
    '-c',
    'import os, pty, signal, termios; pty.openpty(); os.pidfd_open; signal.pidfd_send_signal',
  ]).status === 0
    ? ''
    : ' — NOT RUN: python3 cannot open a pseudo-terminal';

/** How the program stopped or ended, and what settings the terminal had at that moment; null if it was gone. */
export interface Ending {
  readonly kind: 'stopped' | 'ended' | 'killed';
  /** The number of a signal, or an exit code. */
  readonly number: number;
  readonly settings: string | null;
}

export interface Pty {
  /** The settings of the terminal before the program was started. */
  readonly before: string;
  readonly pid: number;
  write(text: string | Uint8Array): void;
  resize(columns: number, rows: number): void;
  signal(name: NodeJS.Signals): void;
  /** What a shell does to a job that stopped: `bg` leaves the terminal to the shell. */
  resume(how?: 'fg' | 'bg'): void;
  /** Closes the other end: a window that is closed, a connection that breaks. */
  hangUp(): void;
  /** Everything that the program wrote to the terminal. */
  output(): string;
  /** Waits until `part` is in what was written after `from`, and returns where it ends. */
  seen(part: string, from?: number): Promise<number>;
  settings(): Promise<string>;
  /** The next time that the program stops or ends. */
  ending(): Promise<Ending>;
  close(): void;
}

export interface PtyOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: { readonly [name: string]: string };
}

interface Report {
  readonly output?: string;
  readonly settings?: string;
  readonly started?: number;
  readonly stopped?: number;
  readonly ended?: number;
  readonly killed?: number;
}

export async function openPty(
  program: readonly string[],
  { columns = 80, rows = 24, env = {} }: PtyOptions = {},
): Promise<Pty> {
  const args = [host, String(columns), String(rows), ...program];
  const child = spawn('python3', args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const seen = collect(child.stdout);
  const send = (command: { readonly [name: string]: unknown }): void =>
    void child.stdin.write(`${JSON.stringify(command)}\n`);
  const before = await until('the terminal', () => seen.settings.at(0));
  const pid = await until('the program', () => seen.pid());
  let endings = 0;
  return {
    before,
    pid,
    write: (text) => send({ write: Buffer.from(text).toString('latin1') }),
    resize: (...size) => send({ size }),
    signal: (name) => send({ signal: name }),
    resume: (how = 'fg') => send({ continue: how }),
    hangUp: () => send({ hangUp: true }),
    output: seen.output,
    async seen(part, from = 0) {
      const isThere = (): number | null => {
        const at = seen.output().indexOf(part, from);
        return at < 0 ? null : at + part.length;
      };
      return until(`"${part}" on the terminal`, isThere, { sign: () => seen.output() });
    },
    async settings() {
      const known = seen.settings.length;
      send({ settings: true });
      return until('the settings', () => seen.settings.at(known));
    },
    async ending() {
      endings += 1;
      return until('the end of the program', () => seen.endings[endings - 1]);
    },
    close: () => void child.stdin.end(),
  };
}

function collect(stream: NodeJS.ReadableStream) {
  const pieces: Buffer[] = [];
  const settings: string[] = [];
  const endings: Ending[] = [];
  let pid: number | null = null;
  let line = '';
  const take = (report: Report): void => {
    if (report.output !== undefined) pieces.push(Buffer.from(report.output, 'latin1'));
    if (report.started !== undefined) pid = report.started;
    for (const kind of ['stopped', 'ended', 'killed'] as const) {
      const number = report[kind];
      if (number !== undefined) endings.push({ kind, number, settings: report.settings ?? null });
    }
    // An answer, or the first report: it has nothing else.
    if (report.settings !== undefined && Object.keys(report).length === 1) settings.push(report.settings);
  };
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (line + text).split('\n');
    line = lines.pop() ?? '';
    for (const one of lines) take(JSON.parse(one) as Report);
  });
  return { settings, endings, pid: () => pid, output: () => Buffer.concat(pieces).toString() };
}
