// Attached sessions and their runs, found by the session's id, whatever folder the client works in.
import { join } from 'node:path';
import { identify } from '#adapters/sessions/host-record.ts';
import type { ForeignLink } from '#adapters/sessions/foreign-link.ts';
import { dropLink, isLinkLive, listLinks, readLink, writeLink } from '#adapters/sessions/foreign-link.ts';
import { stateHome } from './state-home.ts';

export type { ForeignLink } from '#adapters/sessions/foreign-link.ts';

type Given = { readonly [name: string]: string | undefined };

export interface Links {
  read(sessionId: string): ForeignLink | null;
  /** Also if the same session continues in another process. */
  attach(link: Omit<ForeignLink, 'client' | 'isClosed' | 'blocks'>, clientPid: number): ForeignLink;
  update(link: ForeignLink): void;
  drop(sessionId: string): void;
  /** The session that one of these processes holds. */
  heldBy(pids: readonly number[]): ForeignLink | null;
}

export function openLinks(env: Given): Links {
  const folder = join(stateHome(env), 'untildone', 'foreign');
  return {
    read: (sessionId) => readLink(folder, sessionId),
    attach: ({ sessionId, runId, root }, clientPid) => {
      const client = identify(clientPid);
      const link: ForeignLink = { sessionId, runId, root, client, isClosed: false, blocks: 0 };
      writeLink(folder, link);
      return link;
    },
    update: (link) => writeLink(folder, link),
    drop: (sessionId) => dropLink(folder, sessionId),
    heldBy: (pids) =>
      listLinks(folder).find((link) => isLinkLive(link) && pids.includes(link.client.pid)) ?? null,
  };
}

export { isLinkLive } from '#adapters/sessions/foreign-link.ts';
