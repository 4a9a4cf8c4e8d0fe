// Decides whose decisions a driver of this site accepts.
import type { Judge } from '#adapters/store/inbox/collect.ts';
import { openLinks } from '#app/attached.ts';
import { whyNoPerson } from './inside.ts';
import type { Site } from '#app/site.ts';

export function judgeIn(site: Site): Judge {
  return (pid) => {
    const links = openLinks(site.ownEnv);
    return whyNoPerson(pid, { driver: process.pid, isLinked: (id) => links.read(id) !== null });
  };
}
