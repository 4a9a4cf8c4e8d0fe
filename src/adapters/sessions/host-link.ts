// The driver's link to one session host process: frames in both directions, and its end.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { hostVariable } from '#adapters/processes/proc-table.ts';
import { assert } from '#base/assert.ts';
import type { HostControl, HostFrame, HostOrder } from '#ports/session-host.ts';
import { parseRecord } from '#base/parse-json.ts';

export interface HostLink {
  /** Null if it could not start. */
  readonly pid: number | null;
  /** Set in its environment. A child of it also has this mark until the child loads its program. */
  readonly mark: string;
  readonly isOpen: boolean;
  send(frame: HostOrder | HostControl): void;
  /** Replaces the listener. */
  listen(onFrame: (frame: HostFrame) => void): void;
  /** Closes our end of the pipe: the host treats it as our death. */
  leave(): void;
  /** Kills it; `gone` settles even if the system cannot end the process. */
  kill(): void;
  /** Settles when the process is gone and its frames were read. */
  readonly gone: Promise<void>;
}

export interface HostStart {
  readonly nodePath: string;
  readonly hostEntry: string;
  readonly hostsDir: string;
}

/** The longest frame of a host; a longer line is not from ours. */
const frameLengthMax = 8 * 1024 * 1024;

/** Collects garbage early; by default a flood would grow a host by 30 MB first. */
const hostFlags = ['--max-semi-space-size=2'];

/** Time for the system to end a killed process. */
const killMsMax = 5_000;

export function startHost({ nodePath, hostEntry, hostsDir }: HostStart): HostLink {
  mkdirSync(hostsDir, { recursive: true });
  // The log outlives both processes, for later diagnosis.
  const complaints = openSync(join(hostsDir, 'hosts.log'), 'a', 0o600);
  const mark = `host-${randomBytes(6).toString('hex')}`;
  const child = spawn(nodePath, [...hostFlags, hostEntry], {
    // A separate session: Ctrl-C in the terminal goes to the driver, which decides.
    detached: true,
    env: { ...process.env, [hostVariable]: mark },
    stdio: ['pipe', 'pipe', complaints],
    windowsHide: true,
  });
  closeSync(complaints);
  const { stdin, stdout } = child;
  assert(stdin !== null && stdout !== null, 'both pipes were asked for');
  let isOpen = child.pid !== undefined;
  let onFrame: (frame: HostFrame) => void = () => {};
  const ended = Promise.withResolvers<void>();
  const end = (): void => {
    isOpen = false;
    ended.resolve();
  };
  child.once('error', end);
  child.once('close', end);
  child.once('exit', () => {
    isOpen = false;
  });
  // A dead host must not end us.
  stdin.on('error', () => {});
  stdout.on('error', () => {});
  stdout.on(
    'data',
    createFrameReader((frame) => onFrame(frame)),
  );
  return {
    pid: child.pid ?? null,
    mark,
    get isOpen() {
      return isOpen;
    },
    send: (frame) => {
      if (stdin.writable) stdin.write(`${JSON.stringify(frame)}\n`);
    },
    listen: (listener) => {
      onFrame = listener;
    },
    leave: () => stdin.end(),
    kill: () => {
      child.kill('SIGKILL');
      // A process stuck in the kernel, or one that holds its pipes, must not keep us alive.
      setTimeout(() => {
        for (const part of [stdin, stdout]) part.destroy();
        child.unref();
        end();
      }, killMsMax).unref();
    },
    gone: ended.promise,
  };
}

export function createFrameReader(onFrame: (frame: HostFrame) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (chunk) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > frameLengthMax) rest = '';
    for (const line of lines) {
      const frame = parseFrame(line);
      if (frame !== null) onFrame(frame);
    }
  };
}

function parseFrame(line: string): HostFrame | null {
  const value = parseRecord(line);
  return value !== null && 'type' in value ? (value as unknown as HostFrame) : null;
}
