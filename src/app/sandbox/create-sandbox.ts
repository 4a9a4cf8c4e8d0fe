// Creates a sandbox from plain data: in the driver for checks, in a session host for its agent.
import { createBubblewrapSandbox } from '#adapters/sandbox/bubblewrap/bubblewrap-sandbox.ts';
import { findBubblewrap } from '#adapters/sandbox/bubblewrap/find-bubblewrap.ts';
import { noSandbox } from '#adapters/processes/no-sandbox.ts';
import { findSrt } from '#adapters/sandbox/srt/find-srt.ts';
import { createSrtSandbox } from '#adapters/sandbox/srt/srt-sandbox.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Sandbox, SandboxOrder } from '#ports/sandbox.ts';

export interface SandboxTools {
  /** The program that `bridge` is a part of. */
  readonly hostEntry: string;
  readonly env: { readonly [name: string]: string | undefined };
  /** For sessions of an agent: the MCP socket to ask about its run. */
  readonly mcpSocket?: string | null;
  /** For programs that run one after the other. Contract: the sandbox is closed when they are done. */
  readonly isNetworkShared?: boolean;
}

export function createSandbox({ kind, rules }: SandboxOrder, { hostEntry, ...tools }: SandboxTools): Sandbox {
  switch (kind) {
    case 'none':
      return noSandbox;
    case 'bubblewrap': {
      const bridge = [process.execPath, hostEntry, 'bridge'] as const;
      return createBubblewrapSandbox({ ...tools, bubblewrap: pathOf(findBubblewrap()), rules, bridge });
    }
    case 'srt':
      return createSrtSandbox({ program: pathOf(findSrt()), rules });
  }
}

function pathOf(found: { readonly path: string } | { readonly problem: string }): string {
  if ('path' in found) return found.path;
  throw new OperatorError(
    'no-sandbox',
    `The sandbox is no longer available: ${found.problem}.`,
    'See: untildone doctor',
  );
}
