// Runs polls of many runs, each in its run's sandbox. The journal gives the command, not the wake record.
import type { Probes } from '#adapters/waiting/lookout.ts';
import { pollOnce, type PollPlace } from '#adapters/waiting/poll-once.ts';
import type { WakeRecord } from '#adapters/waiting/wake-file.ts';
import { simpleConditions } from '#kernel/waiting/condition.ts';
import { isHeld } from './wake-child.ts';
import { isRepoAt } from '#adapters/waiting/repo-roots.ts';

interface PollsOfRun {
  readonly place: PollPlace;
  /** By suspension id and command, joined by a blank. */
  readonly known: ReadonlySet<string>;
}

export interface WatchPolls {
  readonly poll: Probes['poll'];
  /** Forgets the journals of all other runs. */
  keepOnly(records: ReadonlySet<WakeRecord>): void;
}

export interface WatchPollsOptions {
  readonly stateHome: string;
  readonly env: NodeJS.ProcessEnv;
  /** The run that an awaited suspension belongs to, and the suspension's id in that run. */
  readonly ownerOf: (id: string) => { readonly record: WakeRecord; readonly suspensionId: string } | null;
  /** The repository is gone, or its sandbox cannot be made. */
  readonly onProblem: (record: WakeRecord, problem: 'gone' | Error) => void;
}

export function createWatchPolls({ stateHome, env, ownerOf, onProblem }: WatchPollsOptions): WatchPolls {
  const opened = new Map<WakeRecord, PollsOfRun>();
  const open = async (record: WakeRecord): Promise<PollsOfRun | null> => {
    const known = opened.get(record);
    if (known !== undefined) return known;
    if (!(await isRepoAt(record))) {
      onProblem(record, 'gone');
      return null;
    }
    const { runId, root } = record;
    const { createProcesses } = await import('#adapters/processes/create-processes.ts');
    const { openSandboxes } = await import('#app/sandbox/sandbox.ts');
    const { loadRun, openSite } = await import('#app/site.ts');
    const { pollPlaceOf } = await import('./run-waiting.ts');
    const site = await openSite(root, env);
    const { run } = await loadRun(site, runId);
    const sandboxes = await openSandboxes(site, runId, run.config);
    const processes = createProcesses({ confine: 'auto', sandbox: sandboxes.checks });
    const polls = [...run.suspensions.values()].flatMap(({ id, condition }) =>
      simpleConditions(condition).flatMap((part) => (part.kind === 'poll' ? [`${id} ${part.command}`] : [])),
    );
    const place = pollPlaceOf(site, { runId, config: run.config }, processes);
    const made = { place, known: new Set(polls) };
    opened.set(record, made);
    return made;
  };
  return {
    async poll({ suspensionId: id }, condition, signal) {
      const owner = ownerOf(id);
      if (owner === null || (await isHeld(stateHome, owner.record))) return null;
      const { record, suspensionId } = owner;
      try {
        const polls = await open(record);
        if (polls === null) return null;
        // The journal has no such poll: waking a driver resolves that.
        if (!polls.known.has(`${suspensionId} ${condition.command}`))
          return { isMet: true, words: 'the journal says otherwise', looks: 0 };
        return await pollOnce(polls.place, suspensionId, condition, signal);
      } catch (error) {
        onProblem(record, error instanceof Error ? error : new Error(String(error)));
        return null;
      }
    },
    keepOnly(records) {
      for (const record of opened.keys()) if (!records.has(record)) opened.delete(record);
    },
  };
}
