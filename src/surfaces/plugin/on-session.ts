// A session starts, continues in another process, or closes: its work is proven once its client is gone.
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttachedLink, Links } from '#app/attached.ts';
import { gapsInPreview } from '#kernel/proof/proof.ts';
import { askedNote, briefing, openAnyway } from '#views/exit.ts';
import { currentTask } from '#views/status/stage.ts';
import { clientPid, type HookAnswer, type HookInput, note, silence } from './hook.ts';

export async function onSessionStart({ sessionId }: HookInput, links: Links): Promise<HookAnswer> {
  const link = links.read(sessionId);
  const pid = clientPid();
  if (link === null || pid === null) return silence;
  links.attach(link, pid);
  const { loadRun, openSite } = await import('#app/site.ts');
  const { run } = await loadRun(await openSite(link.root, process.env), link.runId);
  const anyway = openAnyway(run);
  if (anyway !== null) return note(anyway);
  return {
    ...note(
      `this session belongs to run ${run.id} and may end when its checks pass. ${askedNote(run)}`.trim(),
    ),
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: briefing(run) },
  };
}

/**
 * The client has closed the session. Runs as a separate process, which outlives the client: proof needs the
 * session closed and all its processes gone, and a closing client gives its hooks next to no time.
 */
export async function onClosed(sessionId: string, links: Links): Promise<void> {
  const link = links.read(sessionId);
  if (link === null) return;
  links.update({ ...link, isClosed: true });
  if (await isWorthProving(link)) await conclude(link, links);
}

/** Work that the last preview refused is not checked again by itself: the person may return to it. */
async function isWorthProving({ root, runId }: AttachedLink): Promise<boolean> {
  const { loadRun, openSite } = await import('#app/site.ts');
  const { run } = await loadRun(await openSite(root, process.env), runId);
  const task = currentTask(run);
  if (openAnyway(run) !== null || task === null || task.status.is === 'needs-input') return false;
  return gapsInPreview(run, task).length === 0;
}

async function conclude(found: AttachedLink, links: Links): Promise<void> {
  const { sessionId } = found;
  const { isLinkLive } = await import('#app/attached.ts');
  for (let count = 0; isLinkLive({ ...found, isClosed: false }) && count < waitsMax; count += 1) {
    if (links.read(sessionId)?.isClosed !== true) return;
    await sleep(100);
  }
  // The session was resumed: it has not ended.
  if (links.read(sessionId)?.isClosed !== true) return;
  const { openSite } = await import('#app/site.ts');
  const site = await openSite(found.root, process.env);
  const { driveAndRead } = await import('#app/controls/preview.ts');
  const { run } = await driveAndRead(site, found.runId, new AbortController().signal);
  if (run.outcome !== null) links.drop(sessionId);
}

/** A client that continues with another session, after /clear, is not waited for. */
const waitsMax = 50;
