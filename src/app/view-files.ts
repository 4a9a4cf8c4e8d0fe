// Writes the files that show a run to people and tools while it is driven.
import { createViewFiles } from '#adapters/store/views.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Observer } from '#ports/world.ts';
import { progressFiles } from '#views/actions/progress-files.ts';
import { masterLogLine } from '#views/lines/master-log.ts';
import { planJson } from '#views/plan/plan.ts';
import { stateJson } from '#views/status/state-json.ts';
import { pathsOf, runPathsOf, type Site } from './site.ts';

/** Keeps state.json, plan.json, the progress files and the master log up to date. */
export function keepViewFiles(
  site: Site,
  runId: string,
  onTrouble: (text: string) => void,
): Observer & { close(): Promise<void> } {
  const files = createViewFiles({ paths: pathsOf(site), run: runPathsOf(site, runId), onTrouble });
  return {
    onEvents(run, events) {
      files.writeState(() => stateJson(run));
      if (events.some((event) => changesPlan(run, event))) files.writePlan(() => planJson(run));
      if (events.some((event) => changesProgress(run, event)))
        for (const [name, text] of Object.entries(progressFiles(run))) files.writeProgress(name, text);
      for (const event of events) {
        const line = masterLogLine(run, event);
        if (line !== null) files.appendMaster(line);
        if (event.type === 'step-ended' && event.result.kind === 'survey') files.writeMap(event.result.map);
      }
    },
    close: () => files.close(),
  };
}

/** Whether the event may change plan.json. */
function changesPlan({ config }: Run, { type }: Event): boolean {
  return config.policy.planning !== undefined && /^(run|plan|task|question|step|control)-/.test(type);
}

function changesProgress({ config }: Run, { type }: Event): boolean {
  return config.policy.actions !== undefined && /^(run|action|evidence)-/.test(type);
}
