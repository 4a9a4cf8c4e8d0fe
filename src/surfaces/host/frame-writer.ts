// Writes frames to the driver, which may be slow, stopped or dead: the host never waits for it.
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { HostFrame } from '#ports/session-host.ts';

/** Limit for a driver that does not read; chatter beyond it is dropped. */
const waitingBytesMax = 128 * 1024;
/** The last frame is also in the receipt, so it is worth only a moment. */
const finishMsMax = 1_000;

export function createFrameWriter(descriptor: number) {
  const pipe = openPipe(descriptor);
  pipe.on('error', () => {});
  return {
    tell: (frame: HostFrame): void => {
      if (!pipe.writable) return;
      if (frame.type === 'chatter' && pipe.writableLength > waitingBytesMax) return;
      pipe.write(`${JSON.stringify(frame)}\n`);
    },
    finish: (done: () => void): void => {
      setTimeout(done, finishMsMax);
      if (pipe.writable) pipe.end(done);
      else done();
    },
  };
}

/** Not process.stdout: on a pipe that one blocks, and a stopped driver would stop the limits too. */
function openPipe(descriptor: number): Writable {
  try {
    return new Socket({ fd: descriptor, readable: false, writable: true });
  } catch {
    // Not a pipe but a file or a terminal, if a person starts the host by hand.
    return process.stdout;
  }
}
