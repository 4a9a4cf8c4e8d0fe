// A Model Context Protocol server for an agent inside a run. It informs and asks, and decides nothing.
import { type Fields, fieldsOf, rpcCodes, RpcError, serveRpc, textOf } from '#app/rpc.ts';
import { OperatorError } from '#base/operator-error.ts';
import { type Tool, tools } from './tools.ts';

/** Newest first. A client that asks for another version is offered the first, and decides itself. */
const versions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

export async function serveMcp(run: string | null): Promise<void> {
  const { mcpSocketAbove } = await import('#app/controls/inside.ts');
  const socket = mcpSocketAbove(process.env);
  // In a sandbox: the same server answers, from outside.
  if (socket !== null) return (await import('#app/mcp-socket.ts')).serveThroughMcpSocket(socket);
  await serveRpc({
    input: process.stdin as AsyncIterable<Buffer>,
    write: (text) => void process.stdout.write(text),
    onRequest: (method, params) => answer(method, params, run),
  });
}

async function answer(method: string, params: Fields, run: string | null): Promise<Fields | null> {
  switch (method) {
    case 'initialize':
      return initialize(params);
    case 'ping':
      return {};
    case 'tools/list':
      return {
        tools: tools.map(({ name, description, input }) => ({ name, description, inputSchema: input })),
      };
    case 'tools/call':
      return callTool(params, run);
    default:
      throw new RpcError(rpcCodes.methodNotFound, `There is no method ${method}.`);
  }
}

function initialize(params: Fields): Fields {
  const asked = textOf(params['protocolVersion']);
  return {
    protocolVersion: versions.includes(asked) ? asked : versions[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'untildone', version: '1' },
    instructions:
      'You work on a run of untildone. Read your task with read_task and preview the checks with run_checks. Your own statements decide nothing: the driver runs the checks when your session ends.',
  };
}

async function callTool(params: Fields, run: string | null): Promise<Fields> {
  const name = textOf(params['name']);
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return textResult(noSuchTool(name), true);
  try {
    return textResult(await use(tool, fieldsOf(params['arguments']), run), false);
  } catch (error) {
    if (error instanceof OperatorError) return textResult(`${error.message} ${error.hint}`, true);
    throw error;
  }
}

async function use(tool: Tool, input: Fields, run: string | null): Promise<string> {
  const { findOwnRun } = await import('./own-run.ts');
  return tool.use(await findOwnRun(run), input);
}

function textResult(text: string, isError: boolean): Fields {
  return { content: [{ type: 'text', text }], isError };
}

/** Says that the tool is missing on purpose. */
function noSuchTool(name: string): string {
  const known = tools.map((tool) => tool.name).join(', ');
  return `There is no tool ${JSON.stringify(name)}. Agents cannot give verdicts, approvals, skips or budgets. The tools are ${known}.`;
}
