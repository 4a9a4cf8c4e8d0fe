// Interactive sessions and the runs they belong to: found by the session's id, whatever folder the client is in.
import { join } from 'node:path';
import { identify } from '#adapters/sessions/host-record.ts';
import type { ForeignLink } from '#adapters/sessions/foreign-link.ts';
import { dropLink, isLinkLive, listLinks, readLink, writeLink } from '#adapters/sessions/foreign-link.ts';
import type { RunConfig } from '#kernel/config.ts';
import { foreignDriver } from '#kernel/foreign.ts';
import { OperatorError } from '#ports/operator-error.ts';
import type { Sessions, SessionStep } from '#ports/sessions.ts';
import { definedOnly } from './site.ts';
import { stateHome } from './state-home.ts';
import type { Site } from './site.ts';

export type { ForeignLink } from '#adapters/sessions/foreign-link.ts';

type Given = { readonly [name: string]: string | undefined };

export interface Links {
  read(sessionId: string): ForeignLink | null;
  /** Also when the same session goes on in another process. */
  attach(link: Omit<ForeignLink, 'client' | 'isClosed' | 'blocks'>, clientPid: number): ForeignLink;
  update(link: ForeignLink): void;
  drop(sessionId: string): void;
  /** The session that one of these processes holds. */
  heldBy(pids: readonly number[]): ForeignLink | null;
}

export function openLinks(env: Given): Links {
  const folder = folderOf(stateHome(definedOnly(env)));
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

/** For a run whose builder is an interactive session. */
export async function foreignSessions(
  site: Site,
  config: RunConfig,
  own: Sessions,
  takeTree: (step: SessionStep) => Promise<string | null>,
): Promise<Sessions> {
  const { createForeignSessions } = await import('#adapters/sessions/foreign-sessions.ts');
  const folder = folderOf(site.stateHome);
  return createForeignSessions({
    own,
    takeTree,
    isForeign: ({ deed }) =>
      deed.kind === 'session' && config.agents[deed.agent.name]?.driver === foreignDriver,
    isLive: () => {
      const link = readLink(folder, config.foreign?.sessionId ?? '');
      return link !== null && isLinkLive(link);
    },
  });
}

/** Nobody would ever come to work on such a run. */
export function refuseWithoutClient({ agents, foreign }: RunConfig): void {
  if (foreign !== undefined) return;
  if (!Object.values(agents).some(({ driver }) => driver === foreignDriver)) return;
  throw new OperatorError(
    'no-client',
    'The agent "interactive" is a session that you have open in its own client, and there is none here.',
    'Type /untildone:start in Claude Code (see `untildone help plugin`), or name another agent.',
  );
}

function folderOf(home: string): string {
  return join(home, 'untildone', 'foreign');
}
