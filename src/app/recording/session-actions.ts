// Turns one finished session into actions of a script. Pure.
import { posix } from 'node:path';
import type { Usage } from '#kernel/model/budget.ts';
import type { SessionEnding } from '#kernel/model/ending.ts';
import type { Action } from '#agents/scripted/script.ts';
import type { FileChange } from '#adapters/git/trees/tree-change.ts';
import type { LoggedMessage } from './session-log.ts';

export interface Session {
  readonly messages: readonly LoggedMessage[];
  readonly changes: readonly FileChange[];
  readonly ending: SessionEnding;
  readonly usage: Usage;
  /** Folder in which the agent worked, relative to the root of the repository; '' is the root. */
  readonly prefix: string;
}

/** Contract: text after the last tool call stays after it, because a signal counts only there. */
export function actionsOf(session: Session): Action[] {
  const { messages, usage, ending } = session;
  const placed = placeChanges(session);
  const actions = messages.flatMap((one, index): Action[] => {
    const changes = placed.get(index);
    if (one.kind === 'say') return [{ say: one.text }];
    if (one.kind === 'usage') return [{ usage: one.usage }];
    const call: Action = { tool: one.name, summary: one.summary };
    // A call that is known to have written a file is replaced by that write.
    return changes === undefined ? [call] : changes.isCall ? changes.actions : [call, ...changes.actions];
  });
  const before = placed.get(-1)?.actions ?? [];
  const last = messages.findLast((one) => one.kind === 'usage')?.usage;
  const isReported = last !== undefined && last.usd === usage.usd && last.tokens === usage.tokens;
  return [...before, ...actions, ...(isReported ? [] : [{ usage }]), ...endOf(ending)];
}

interface Placed {
  readonly actions: Action[];
  /** Whether the actions replace the call. */
  readonly isCall: boolean;
}

/** By index of the call they belong to; the rest follows the last call, or comes first without a call. */
function placeChanges({ messages, changes, prefix }: Session): Map<number, Placed> {
  const placed = new Map<number, Placed>();
  const rest: FileChange[] = [];
  for (const change of changes) {
    const index = isEntangled(change, changes) ? -1 : callFor(change.path, messages, prefix);
    if (index === -1 || placed.has(index)) rest.push(change);
    else placed.set(index, { actions: fileAction(change, prefix), isCall: true });
  }
  if (rest.length === 0) return placed;
  const last = messages.findLastIndex((one) => one.kind === 'tool');
  const there = placed.get(last);
  // Deletions first: a file may replace a folder, and the other way round.
  const actions = [...rest]
    .sort((a, b) => Number(b.kind === 'deleted') - Number(a.kind === 'deleted'))
    .flatMap((change) => [...emptyFolder(change, changes, prefix), ...fileAction(change, prefix)]);
  placed.set(last, { actions: [...actions, ...(there?.actions ?? [])], isCall: there?.isCall ?? false });
  return placed;
}

/** The empty rest of a folder blocks a file of the same name. */
function emptyFolder(change: FileChange, all: readonly FileChange[], prefix: string): Action[] {
  const wasFolder = change.kind !== 'deleted' && all.some(({ path }) => path.startsWith(`${change.path}/`));
  return wasFolder ? [{ delete: posix.relative(prefix, change.path) }] : [];
}

function isEntangled(change: FileChange, all: readonly FileChange[]): boolean {
  return all.some(({ path }) => path.startsWith(`${change.path}/`) || change.path.startsWith(`${path}/`));
}

const writers = /write|edit|patch|create|delete|remove|replace|file.?change|link/i;

/** The last call that names this file and looks like a write. */
function callFor(path: string, messages: readonly LoggedMessage[], prefix: string): number {
  const name = posix.relative(prefix, path);
  return messages.findLastIndex(
    (one) => one.kind === 'tool' && writers.test(one.name) && namesFile(one.summary.trim(), name),
  );
}

function namesFile(summary: string, name: string): boolean {
  return summary === name || (/^[/\\]|^[A-Za-z]:/.test(summary) && summary.endsWith(`/${name}`));
}

function fileAction(change: FileChange, prefix: string): Action[] {
  const path = posix.relative(prefix, change.path);
  switch (change.kind) {
    case 'deleted':
      return [{ delete: path }];
    case 'linked':
      return [{ link: { path, target: change.target } }];
    case 'submodule':
      return [];
    case 'written': {
      const { bytes, isExecutable, wasExecutable } = change;
      const text = bytes.toString('utf8');
      const isText = Buffer.from(text).equals(bytes);
      return [
        {
          write: {
            path,
            text: isText ? text : bytes.toString('base64'),
            ...(isText ? {} : { encoding: 'base64' as const }),
            ...(isExecutable || wasExecutable === true ? { executable: isExecutable } : {}),
          },
        },
      ];
    }
  }
}

/** A replay ends as the session did, as far as an agent can cause that. */
function endOf(ending: SessionEnding): Action[] {
  switch (ending.kind) {
    case 'finished':
    case 'interrupted':
    case 'over-limit':
      return [];
    case 'failed': {
      const { errorClass, detail, resetAt } = ending;
      return [{ fail: { errorClass, detail, ...(resetAt === undefined ? {} : { resetAt }) } }];
    }
    case 'timed-out':
      return [{ hang: true }];
    case 'crashed':
    case 'cancelled':
    case 'not-started':
      return [{ exit: 1 }];
  }
}
