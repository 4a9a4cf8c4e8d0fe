// Attached sessions and their runs, found by the session's id, whatever folder the client works in.
import { join } from 'node:path';
import { identify } from '#adapters/sessions/host-record.ts';
import type { AttachedLink } from '#adapters/sessions/attached-link.ts';
import { dropLink, isLinkLive, listLinks, readLink, writeLink } from '#adapters/sessions/attached-link.ts';
import { stateHome } from './state-home.ts';

export type { AttachedLink } from '#adapters/sessions/attached-link.ts';

type Environment = { readonly [name: string]: string | undefined };

export interface Links {
  read(sessionId: string): AttachedLink | null;
  /** Also if the same session continues in another process. */
  attach(link: Omit<AttachedLink, 'client' | 'isClosed' | 'blocks'>, clientPid: number): AttachedLink;
  update(link: AttachedLink): void;
  drop(sessionId: string): void;
  /** The session that one of these processes holds. */
  heldBy(pids: readonly number[]): AttachedLink | null;
}

export function openLinks(env: Environment): Links {
  const folder = join(stateHome(env), 'untildone', 'foreign');
  return {
    read: (sessionId) => readLink(folder, sessionId),
    attach: ({ sessionId, runId, root }, clientPid) => {
      const client = identify(clientPid);
      const link: AttachedLink = { sessionId, runId, root, client, isClosed: false, blocks: 0 };
      writeLink(folder, link);
      return link;
    },
    update: (link) => writeLink(folder, link),
    drop: (sessionId) => dropLink(folder, sessionId),
    heldBy: (pids) =>
      listLinks(folder).find((link) => isLinkLive(link) && pids.includes(link.client.pid)) ?? null,
  };
}

export { isLinkLive } from '#adapters/sessions/attached-link.ts';
