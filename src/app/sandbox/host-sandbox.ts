// Creates the sandbox of an agent's session, with an MCP socket to ask about its run.
import { basename, dirname, join } from 'node:path';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { rememberSettings } from '#adapters/sandbox/git-settings.ts';
import { openMcpSocket } from '#adapters/sandbox/mcp-socket.ts';
import { noSandbox } from '#adapters/processes/no-sandbox.ts';
import { makeScratch } from '#adapters/sandbox/scratch.ts';
import { workspaceOf } from '#adapters/sandbox/workspace-of.ts';
import { definedOnly } from '#config/env-file.ts';
import type { Sandbox } from '#ports/sandbox.ts';
import type { HostOrder } from '#ports/session-host.ts';
import { createSandbox, type SandboxTools } from './create-sandbox.ts';

export function openHostSandbox(order: HostOrder, tools: SandboxTools): Sandbox {
  const { sandbox } = order;
  if (sandbox === undefined) return noSandbox;
  rememberSettings(sandbox.gitSettings ?? {});
  // The other sandbox lets no program inside connect to a socket file.
  return createSandbox(sandbox, {
    ...tools,
    mcpSocket: sandbox.kind === 'bubblewrap' ? mcpSocketFor(order, tools) : null,
  });
}

function mcpSocketFor(order: HostOrder, { hostEntry, env }: SandboxTools): string {
  const { runId, step, confine } = order;
  const socketFile = join(makeScratch('sockets'), 'socket');
  openMcpSocket({
    socketFile,
    processes: createProcesses({ confine }),
    server: {
      command: [process.execPath, hostEntry, 'mcp'],
      cwd: outsideOf(order),
      env: definedOnly(env),
      mark: `${runId}/${step.stepId}`,
      wallMs: step.deed.limits.wallMs,
    },
  });
  return socketFile;
}

/**
 * The person's own checkout if there is one. Files that an agent writes into its checkout (`.env`, a nested
 * repository with programs in its settings) must not steer a program outside.
 */
function outsideOf({ cwd, sandbox }: HostOrder): string {
  const { commonDir = null, workspaces = [] } = sandbox?.rules ?? {};
  if (commonDir !== null && basename(commonDir) === '.git') return dirname(commonDir);
  return workspaceOf(cwd, workspaces) ?? cwd;
}
