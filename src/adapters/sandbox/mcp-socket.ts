// The MCP socket: lets a sandboxed agent ask about its run. Our own server outside answers each connection.
// It speaks the Model Context Protocol and makes no decisions.
import { createServer, type Socket, connect } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import type { Processes, ProcessSpec, RunningProcess } from '#ports/processes.ts';

/** The variable that names the socket file to programs inside. */
export const mcpSocketVariable = 'UNTILDONE_DOOR';

export interface McpSocketOptions {
  readonly socketFile: string;
  /** Outside of every sandbox. */
  readonly processes: Processes;
  /** The server that answers one connection. */
  readonly server: Pick<ProcessSpec, 'command' | 'cwd' | 'env' | 'mark' | 'wallMs'>;
  readonly connectionsMax?: number;
  readonly bytesMax?: number;
}

export interface McpSocket {
  /** Ends every connection and its server; refuses new ones. */
  close(): void;
}

/** A client and its helpers use one each. */
const connectionsMaxDefault = 8;
/** Limit for one client in one session; a question has some hundred bytes. */
const bytesMaxDefault = 64 * 1024 * 1024;

/** When it returns, the socket file exists and listens. */
export function openMcpSocket({
  socketFile,
  processes,
  server,
  connectionsMax = connectionsMaxDefault,
  bytesMax = bytesMaxDefault,
}: McpSocketOptions): McpSocket {
  const open = new Set<Socket>();
  const living = new Set<RunningProcess>();
  const listener = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => client.destroy());
    // Connections whose server is still ending count too.
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
  listener.on('error', () => {});
  listener.listen(socketFile);
  // The agent keeps the session alive; this socket must not keep our process alive.
  listener.unref();
  return {
    close: () => {
      listener.close();
      for (const client of open) client.destroy();
    },
  };
}

type Answering = Pick<McpSocketOptions, 'processes' | 'server'> & { readonly bytesMax: number };

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

/** Connects to the MCP socket from inside. Contract: rejects if nothing listens. */
export function connectMcpSocket(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.on('error', () => socket.destroy());
      resolve(socket);
    });
  });
}
