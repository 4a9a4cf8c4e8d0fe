// Why a run refused a control.
import type { Site } from './site.ts';
import { openStore } from './site.ts';

export async function reasonOf(site: Site, runId: string, controlId: string): Promise<string> {
  const { events } = await (await openStore(site)).read(runId);
  const refusal = events.find((event) => event.type === 'control-refused' && event.id === controlId);
  return refusal?.type === 'control-refused' ? refusal.reason : 'no reason is known';
}
