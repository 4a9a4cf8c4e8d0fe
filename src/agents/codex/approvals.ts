// Answers the requests of codex while it works. Each gets an answer at once: no person is at the terminal.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Fields } from '#agents/shared/json.ts';

export interface ApprovalPolicy {
  readonly readOnly: boolean;
  readonly cwd: string;
  readonly sandbox: string;
  /** The files of a change that waits for approval; null if unknown. */
  readonly changedPaths: (itemId: string) => readonly string[] | null;
}

export interface ApprovalReply {
  /** Null for an unknown request: it is answered with an error. */
  readonly result: Fields | null;
  /** For the log. */
  readonly reply: string;
}

export function answerRequest(method: string, params: Fields, policy: ApprovalPolicy): ApprovalReply {
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return decided(mayLeaveSandbox(policy), 'a command outside the sandbox', params);
    case 'item/fileChange/requestApproval':
      return decided(mayChange(params, policy), 'a change of files', params);
    case 'item/permissions/requestApproval':
      return { result: { permissions: {}, scope: 'turn' }, reply: 'declined further permissions' };
    case 'mcpServer/elicitation/request':
      return {
        result: { action: 'decline', content: null, _meta: null },
        reply: 'declined a form of a tool server',
      };
    default:
      return { result: null, reply: `codex asked "${method}", which cannot be answered here` };
  }
}

function decided(isAccepted: boolean, what: string, { reason }: Fields): ApprovalReply {
  const why = typeof reason === 'string' && reason !== '' ? ` (${reason.slice(0, 200)})` : '';
  return {
    result: { decision: isAccepted ? 'accept' : 'decline' },
    reply: `${isAccepted ? 'accepted' : 'declined'} ${what}${why}`,
  };
}

/** Codex asks about a command only to run it without its sandbox; then nothing confines it any more. */
function mayLeaveSandbox({ readOnly, sandbox }: ApprovalPolicy): boolean {
  return !readOnly && sandbox === 'danger-full-access';
}

function mayChange(
  { itemId, grantRoot }: Fields,
  { readOnly, cwd, sandbox, changedPaths }: ApprovalPolicy,
): boolean {
  if (readOnly || sandbox === 'read-only') return false;
  if (sandbox === 'danger-full-access') return true;
  if (typeof grantRoot === 'string') return false;
  const paths = typeof itemId === 'string' ? changedPaths(itemId) : null;
  return paths !== null && paths.length > 0 && paths.every((path) => isOurs(cwd, path));
}

/** Below the workspace, and not in `.git`. */
function isOurs(cwd: string, path: string): boolean {
  const way = relative(cwd, resolve(cwd, path));
  const [first] = way.split(sep);
  return way !== '' && first !== '..' && !isAbsolute(way) && first !== '.git';
}
