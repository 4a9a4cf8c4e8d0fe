// Connects a process inside a sandbox to the run's MCP tools, which are answered outside.
import { errorText } from '#base/error-text.ts';
import { createBoundedLines } from '#agents/shared/bounded-lines.ts';
import { createPeer, PeerGone } from '#agents/shared/json-rpc.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Fields } from '#agents/shared/json.ts';
import { connectMcpSocket } from '#adapters/sandbox/mcp-socket.ts';

/** Pipes standard streams through the MCP socket until the other side closes it. */
export async function serveThroughMcpSocket(door: string): Promise<void> {
  const socket = await reach(door);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  process.stdin.pipe(socket);
  socket.pipe(process.stdout, { end: false });
  await closed;
  // The socket is closed: no more input can be delivered.
  process.stdin.destroy();
}

/** Calls one tool once and returns its text. */
export async function callThroughMcpSocket(door: string, tool: string, given: Fields): Promise<string> {
  const socket = await reach(door);
  const peer = createPeer({
    write: (text) => void socket.write(text),
    onRequest: async () => null,
    onNotification: () => {},
    onGarbage: () => {},
  });
  const lines = createBoundedLines((line) => peer.receive(line));
  socket.on('data', (chunk) => void lines.add(chunk));
  socket.once('close', () => peer.leave('the connection was closed'));
  try {
    const { content, isError } = (await peer.request('tools/call', { name: tool, arguments: given })) as {
      readonly content?: readonly { readonly text?: string }[];
      readonly isError?: boolean;
    };
    const said = content?.[0]?.text ?? '';
    if (isError === true) throw new OperatorError('refused', said, 'Continue with your task as it is.');
    return said;
  } catch (error) {
    throw error instanceof PeerGone ? noDoor(error) : error;
  } finally {
    socket.destroy();
  }
}

async function reach(door: string): ReturnType<typeof connectMcpSocket> {
  return connectMcpSocket(door).catch((error: unknown) => {
    throw noDoor(error);
  });
}

function noDoor(error: unknown): OperatorError {
  return new OperatorError(
    'no-door',
    `The run cannot be reached from this sandbox: ${errorText(error)}.`,
    'Continue with your task. The checks run when your session ends.',
  );
}
