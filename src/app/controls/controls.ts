// Sends a control to a run: durable once dropped, and handled by the present or the next driver.
import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Control, isDecision } from '#kernel/events/control.ts';
import type { Site } from '#app/site.ts';

export async function dropControl(
  site: Site,
  runId: string,
  control: Control,
  by = whoAsks(),
): Promise<string> {
  const id = `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(4).toString('hex')}`;
  if (isDecision(control)) {
    const { deliverControl } = await import('./deliver-control.ts');
    await deliverControl(site, runId, { id, by, control });
    return id;
  }
  const { openInbox } = await import('#app/site.ts');
  await (await openInbox(site, runId)).drop({ id, by, control });
  return id;
}

export interface ControlAnswer {
  readonly refused?: string;
}

/** Null if no driver answered in time. */
export async function answerTo(
  site: Site,
  runId: string,
  controlId: string,
  msMax: number,
): Promise<ControlAnswer | null> {
  const { loadRun } = await import('#app/site.ts');
  for (const until = performance.now() + msMax; performance.now() < until; await sleep(50)) {
    const state = (await loadRun(site, runId)).run.controls.get(controlId);
    if (state === 'applied') return {};
    if (state !== 'refused') continue;
    return { refused: await reasonOf(site, runId, controlId) };
  }
  return null;
}

export async function reasonOf(site: Site, runId: string, controlId: string): Promise<string> {
  const { openStore } = await import('#app/site.ts');
  const { events } = await openStore(site).read(runId);
  const refusal = events.find((event) => event.type === 'control-refused' && event.id === controlId);
  return refusal?.type === 'control-refused' ? refusal.reason : 'no reason is known';
}

export function whoAsks(): string {
  let name = 'someone';
  try {
    name = userInfo().username;
  } catch {
    // A user without a passwd entry, as in many containers: use the uid.
    name = `uid ${process.getuid?.() ?? '?'}`;
  }
  return `${name} (pid ${process.pid})`;
}
