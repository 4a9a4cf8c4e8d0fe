// Connects a process inside a sandbox to the run's MCP tools, which are answered outside.
import { errorText } from '#base/error-text.ts';
import { createBoundedLines } from '#agents/shared/bounded-lines.ts';
import { createPeer, PeerGone } from '#agents/shared/json-rpc.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Fields } from '#agents/shared/json.ts';
import { connectMcpSocket } from '#adapters/sandbox/mcp-socket.ts';

/** Pipes standard streams through the MCP socket until the other side closes it. */
export async function serveThroughMcpSocket(socketPath: string): Promise<void> {
  const socket = await reach(socketPath);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  process.stdin.pipe(socket);
  socket.pipe(process.stdout, { end: false });
  await closed;
  // The socket is closed: no more input can be delivered.
  process.stdin.destroy();
}

/** Calls one tool once and returns its text. */
export async function callThroughMcpSocket(socketPath: string, tool: string, input: Fields): Promise<string> {
  const socket = await reach(socketPath);
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
    const { content, isError } = (await peer.request('tools/call', { name: tool, arguments: input })) as {
      readonly content?: readonly { readonly text?: string }[];
      readonly isError?: boolean;
    };
    const answerText = content?.[0]?.text ?? '';
    if (isError === true) throw new OperatorError('refused', answerText, 'Continue with your task as it is.');
    return answerText;
  } catch (error) {
    throw error instanceof PeerGone ? noSocket(error) : error;
  } finally {
    socket.destroy();
  }
}

async function reach(socketPath: string): ReturnType<typeof connectMcpSocket> {
  return connectMcpSocket(socketPath).catch((error: unknown) => {
    throw noSocket(error);
  });
}

function noSocket(error: unknown): OperatorError {
  return new OperatorError(
    'no-door',
    `The run cannot be reached from this sandbox: ${errorText(error)}.`,
    'Continue with your task. The checks run when your session ends.',
  );
}
