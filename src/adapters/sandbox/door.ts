// The way out of a sandbox for an agent's questions about its run: a socket file, at which each connection is answered by a server of
// ours that runs outside. It speaks the Model Context Protocol and decides nothing.
import { createServer, type Socket, connect } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import type { Processes, ProcessSpec, RunningProcess } from '#ports/processes.ts';

/** Names the socket file to the programs inside. */
export const doorVariable = 'UNTILDONE_DOOR';

export interface DoorOptions {
  readonly socketFile: string;
  /** Outside of every sandbox. */
  readonly processes: Processes;
  /** The server that answers one connection. */
  readonly server: Pick<ProcessSpec, 'command' | 'cwd' | 'env' | 'mark' | 'wallMs'>;
  readonly connectionsMax?: number;
  readonly bytesMax?: number;
}

export interface Door {
  /** Ends every connection and its server; nobody is let in afterwards. */
  close(): void;
}

/** A client and its helpers have one each. */
const connectionsMaxDefault = 8;
/** From one client in one session; a question has some hundred bytes. */
const bytesMaxDefault = 64 * 1024 * 1024;

/** Listens when it returns: the socket file is there. */
export function openDoor({
  socketFile,
  processes,
  server,
  connectionsMax = connectionsMaxDefault,
  bytesMax = bytesMaxDefault,
}: DoorOptions): Door {
  const open = new Set<Socket>();
  const living = new Set<RunningProcess>();
  const door = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => client.destroy());
    // Those whose server still ends count too.
    if (living.size >= connectionsMax) return void client.destroy();
    open.add(client);
    const running = answer(client, { processes, server, bytesMax });
    living.add(running);
    client.once('close', () => {
      open.delete(client);
      running.kill('its client ended');
    });
    void running.ended.then(() => {
      living.delete(running);
      client.end();
    });
  });
  door.on('error', () => {});
  door.listen(socketFile);
  // A session is held by its agent; the door holds nobody.
  door.unref();
  return {
    close: () => {
      door.close();
      for (const client of open) client.destroy();
    },
  };
}

type Answering = Pick<DoorOptions, 'processes' | 'server'> & { readonly bytesMax: number };

function answer(client: Socket, { processes, server, bytesMax }: Answering): RunningProcess {
  const running = processes.start({
    ...server,
    idleMs: null,
    graceMs: 0,
    onOutput: (chunk, stream) => {
      if (stream === 'stderr' || client.destroyed || client.write(chunk)) return;
      return new Promise((resolve) => {
        client.once('drain', resolve);
        client.once('close', resolve);
      });
    },
  });
  const decoder = new StringDecoder('utf8');
  let bytes = 0;
  client.on('data', (chunk) => {
    bytes += chunk.length;
    if (bytes > bytesMax) client.destroy();
    else running.write(decoder.write(chunk));
  });
  client.on('end', () => running.closeInput());
  return running;
}

/** A connection to the door, from inside. Contract: rejects when nobody is there. */
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
