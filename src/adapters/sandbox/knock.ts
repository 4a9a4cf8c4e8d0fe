// Inside a sandbox: a connection to its door.
import { connect, type Socket } from 'node:net';

/** Contract: rejects when nobody is there. */
export function knock(door: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: door, allowHalfOpen: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.on('error', () => socket.destroy());
      resolve(socket);
    });
  });
}
