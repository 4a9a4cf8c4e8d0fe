// The session wants to end: it may if the checks of its run pass. Other sessions may always end.
import { errorText } from '#base/error-text.ts';
import type { AttachedLink, Links } from '#app/attached.ts';
import type { Site } from '#app/site.ts';
import type { Run } from '#kernel/fold/run.ts';
import { exitAfterPreview, openAnyway } from '#views/exit.ts';
import { currentTask } from '#views/status/stage.ts';
import { block, clientPid, type HookAnswer, type HookInput, note, silence } from './hook.ts';

/** Of all subagents only our own is held: the others do not work for the run. */
const heldAgents: readonly string[] = ['builder', 'untildone:builder'];

/** Below the `timeout` in hooks.json: after it, the client lets the session end without a message. */
const previewMsMax = 840_000;

export async function onStop(input: HookInput, links: Links): Promise<HookAnswer> {
  const link = links.read(input.sessionId);
  if (link === null) return silence;
  if (input.agentType !== '' && !heldAgents.includes(input.agentType)) return silence;
  try {
    return await judge(input, attached(link, input, links), links);
  } catch (error) {
    // Unreadable state blocks no session: the run stays as it is, and proves nothing.
    const why = errorText(error);
    return note(`run ${link.runId} could not be reached (${why}), so this session is not blocked.`);
  }
}

async function judge(input: HookInput, link: AttachedLink, links: Links): Promise<HookAnswer> {
  const { loadRun, openSite } = await import('#app/site.ts');
  const site = await openSite(link.root, process.env);
  const known = (await loadRun(site, link.runId)).run;
  // The time of a suspension may have come.
  const run = known.suspensions.size === 0 ? known : await afterPreview(site, known);
  const task = currentTask(run);
  const anyway = openAnyway(run);
  if (run.outcome !== null) links.drop(link.sessionId);
  if (anyway !== null || task === null) return note(anyway ?? '');
  const { previewNow } = await import('#app/controls/preview.ts');
  const preview = await previewNow(site, {
    runId: run.id,
    taskId: task.spec.id,
    by: 'the exit',
    msMax: previewMsMax,
    mayDrive: true,
  });
  const exit = exitAfterPreview(preview.run, preview.previewId);
  const blocks = exit.kind === 'open' ? 0 : (input.isHeld ? link.blocks : 0) + 1;
  links.update({ ...link, blocks });
  if (exit.kind === 'open') return note(exit.note);
  return { ...block(exit.reason), ...note(exit.note), ...capNote(run.id, blocks) };
}

async function afterPreview(site: Site, { id }: Run): Promise<Run> {
  const { driveAndRead } = await import('#app/controls/preview.ts');
  return (await driveAndRead(site, id, AbortSignal.timeout(previewWaitMsMax))).run;
}

const previewWaitMsMax = 120_000;

/** The client lets a session end after this many refusals in a row, whatever a hook says. */
function capNote(runId: string, blocks: number): HookAnswer {
  const cap = Number(process.env['CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'] ?? '8');
  if (cap === 0 || blocks < cap) return silence;
  return note(
    `Claude Code ends this turn after ${cap} refusals in a row. The run ${runId} is not done and stays open. Type anything to continue, or start the client with CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0.`,
  );
}

/** A session that was resumed in another process is held there. */
function attached(link: AttachedLink, { sessionId }: HookInput, links: Links): AttachedLink {
  const pid = clientPid();
  if (pid === null || (pid === link.client.pid && !link.isClosed)) return link;
  const { runId, root, blocks } = link;
  return { ...links.attach({ sessionId, runId, root }, pid), blocks };
}
