// Around an agent's session: its sandbox, with a door at which it may ask about its run.
import { basename, dirname, join } from 'node:path';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { openDoor } from '#adapters/sandbox/door.ts';
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
  // The other one lets no program inside make a connection to a socket file.
  return createSandbox(sandbox, {
    ...tools,
    door: sandbox.kind === 'bubblewrap' ? doorOf(order, tools) : null,
  });
}

function doorOf(order: HostOrder, { hostEntry, env }: SandboxTools): string {
  const { runId, step, confine } = order;
  const socketFile = join(makeScratch('sockets'), 'socket');
  openDoor({
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
 * The person's own checkout where there is one: what an agent writes into its own (`.env`, a repository further in with programs in
 * its settings) must not steer a program that runs outside.
 */
function outsideOf({ cwd, sandbox }: HostOrder): string {
  const { commonDir = null, workspaces = [] } = sandbox?.rules ?? {};
  if (commonDir !== null && basename(commonDir) === '.git') return dirname(commonDir);
  return workspaceOf(cwd, workspaces) ?? cwd;
}
