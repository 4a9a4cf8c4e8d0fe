// Hands a control to a run: durable once this returns, and met by its driver at once or by the next one.
import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Site } from '#compose/site.ts';
import type { Control } from '#kernel/control.ts';

export async function dropControl(site: Site, runId: string, control: Control): Promise<string> {
  const { openInbox } = await import('#compose/site.ts');
  const inbox = await openInbox(site, runId);
  const id = `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(4).toString('hex')}`;
  await inbox.drop({ id, by: whoAsks(), control });
  return id;
}

function whoAsks(): string {
  let name = 'someone';
  try {
    name = userInfo().username;
  } catch {
    // A user without an entry, as in many containers: the number has to do.
    name = `uid ${process.getuid?.() ?? '?'}`;
  }
  return `${name} (pid ${process.pid})`;
}
