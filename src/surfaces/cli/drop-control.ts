// Hands a control to a run. Loaded late: most commands never do.
import type { Site } from '#compose/site.ts';
import type { Control } from '#kernel/control.ts';

export async function dropControl(site: Site, runId: string, control: Control): Promise<string> {
  const controls = await import('#compose/controls.ts');
  return controls.dropControl(site, runId, control);
}
