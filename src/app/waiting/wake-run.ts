// Decides whether a run can be woken and driven here, and reports why not.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { readNeeds } from '#adapters/waiting/needs-file.ts';
import {
  noteWakeProblem,
  readWakeRecord,
  removeWakeRecord,
  wakeFileOf,
  type WakeRecord,
} from '#adapters/waiting/wake-file.ts';
import { isResumedByItself } from '#kernel/model/config.ts';
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { composeNotices } from '#app/notify.ts';
import { refuseAgentsOfRun } from '#app/run/refuse-agents.ts';
import { loadRun, openStore, runPathsOf, type Site } from '#app/site.ts';
import { writeWakeRecord } from './run-waiting.ts';
import { isOnlyReminded, waitOfRun } from './wait-of-run.ts';

export type Waking =
  /** Valid as long as no other driver has come since this epoch. */
  | { readonly kind: 'drive'; readonly sinceEpoch: number }
  /** Another process drives it, or it no longer waits. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'problem'; readonly problem: string };

/** Contract: writes nothing into the journal. The wake record is only a hint: the journal decides. */
export async function checkWake(site: Site, runId: string): Promise<Waking> {
  const key = { repoId: site.repoId, runId };
  const record = await readWakeRecord(wakeFileOf(site.stateHome, key));
  const store = openStore(site);
  if ((await store.holder(runId)) !== null) return { kind: 'nothing' };
  const run = await readRun(site, runId);
  if (run === null) return forget(site, runId);
  if (!isResumedByItself(run.config)) return { kind: 'nothing' };
  const wait = waitOfRun(run);
  if (wait.kind === 'over' || wait.kind === 'for-person') return forget(site, runId);
  // With a record, the run only waited, and its driver was killed before the next step.
  if (wait.kind === 'can-work' && record === null) return { kind: 'nothing' };
  // A reminder starts no agent, and the driver leaves once it is sent.
  const problem = isOnlyReminded(wait)
    ? null
    : ((await missingVariables(site, run, record)) ?? (await refusal(site, run)));
  if (problem === null) return { kind: 'drive', sinceEpoch: run.epoch };
  const known = record ?? (wait.kind === 'waits' ? await makeRecord(site, run, wait) : null);
  if (known !== null) await noteWakeProblem(site.stateHome, known, problem);
  await notify(site, run, problem);
  return { kind: 'problem', problem };
}

/** Null if it was removed. */
async function readRun(site: Site, runId: string): Promise<Run | null> {
  try {
    return (await loadRun(site, runId)).run;
  } catch (error) {
    if (error instanceof OperatorError && error.code === 'no-such-run') return null;
    throw error;
  }
}

async function forget(site: Site, runId: string): Promise<Waking> {
  await removeWakeRecord(site.stateHome, { repoId: site.repoId, runId });
  return { kind: 'nothing' };
}

async function missingVariables(site: Site, { id }: Run, record: WakeRecord | null): Promise<string | null> {
  const needs = record?.needs ?? (await readNeeds(runPathsOf(site, id).needs)) ?? [];
  const missing = needs.filter((name) => (site.env[name] ?? '') === '');
  if (missing.length === 0) return null;
  const [noun, them] = missing.length === 1 ? ['variable', 'it'] : ['variables', 'them'];
  return `The agents of this run need the ${noun} ${missing.join(', ')}, and the process that wakes runs does not have ${them}. From a shell that has ${them}: untildone resume ${id}`;
}

async function refusal(site: Site, run: Run): Promise<string | null> {
  const command = `untildone resume ${run.id}`;
  try {
    await refuseAgentsOfRun(site, run, { command });
    return null;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return `${error.message} ${error.hint} Then: ${command}`;
  }
}

async function makeRecord(
  site: Site,
  run: Run,
  wait: { readonly awaited: WakeRecord['awaited']; readonly waitingFor: string },
): Promise<WakeRecord | null> {
  const { awaited, waitingFor } = wait;
  await writeWakeRecord(site, { runId: run.id, config: run.config }, { awaited, waitingFor });
  return readWakeRecord(wakeFileOf(site.stateHome, { repoId: site.repoId, runId: run.id }));
}

/** Once per problem. */
async function notify(site: Site, run: Run, problem: string): Promise<void> {
  const notices = await composeNotices(site, run.id, { terminal: null, onNote: () => {} });
  notices.send({
    id: `${run.id}/not-woken/${createHash('sha256').update(problem).digest('hex').slice(0, 16)}`,
    kind: 'parked',
    title: 'A run is due and cannot continue',
    text: problem,
    at: new Date().toISOString(),
    run: run.id,
    repository: basename(site.root),
    goal: run.config.goal.slice(0, 200),
    preset: run.config.preset,
    outcome: null,
    task: null,
    commands: [`untildone resume ${run.id}`],
  });
  await notices.close();
}
