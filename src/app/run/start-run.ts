// Creates a run: checks everything that can be refused first, then records it. Nothing is driven yet.
import { randomBytes } from 'node:crypto';
import { openStore, runPathsOf, type Site } from '#app/site.ts';
import { attachedDriver } from '#kernel/decide/attached.ts';
import { type Event, eventVersion } from '#kernel/events/events.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Task } from '#kernel/model/task.ts';
import type { PlanProposal } from '#kernel/planning/plan.ts';
import { OperatorError } from '#base/operator-error.ts';

export interface NewRun {
  readonly config: RunConfig;
  readonly tasks: readonly Task[];
  readonly heldOut?: readonly { readonly id: string; readonly text: string }[];
  /** A plan that a person brought; if omitted, the architect makes one. */
  readonly plan?: PlanProposal;
  /** This process drives it at once: other processes see a live run from the first moment. */
  readonly isHeld?: boolean;
}

export async function startRun(site: Site, wish: NewRun): Promise<string> {
  return (await createRun(site, wish)).runId;
}

/** Like `startRun`; `config` is as requested, with the sandbox that this machine has. */
export async function createRun(
  site: Site,
  { config: wished, tasks, heldOut = [], plan, isHeld = false }: NewRun,
): Promise<{ readonly runId: string; readonly config: RunConfig }> {
  const { refuseReadOnly } = await import('#adapters/store/writable.ts');
  const { settleSandbox } = await import('#app/sandbox/sandbox.ts');
  const { refuseAgents } = await import('./refuse-agents.ts');
  const { checkStart } = await import('#adapters/git/repo/check-start.ts');
  await refuseReadOnly(site.commonDir);
  const config = settleSandbox(wished);
  refuseWithoutClient(config);
  await refuseWithoutBrowser(site, tasks);
  const at = Date.now();
  const runId = newRunId(at);
  const frozen: RunConfig = { ...config, repo: { ...config.repo, branch: `untildone/${runId}` } };
  // Beside each other: neither changes anything. If both refuse, the agents' refusal is the one that is shown.
  const [agents, repository] = await Promise.allSettled([
    refuseAgents(site, config, tasks),
    checkStart({ ...site, ...frozen.repo }),
  ]);
  for (const checked of [agents, repository]) if (checked.status === 'rejected') throw checked.reason;
  const events: Event[] = [
    { at, type: 'run-created', runId, version: eventVersion, config: frozen },
    ...tasks.map((task): Event => ({ at, type: 'task-added', task, by: 'plan' })),
    ...(plan === undefined ? [] : planned(at, plan)),
  ];
  await openStore(site).create(runId, events, { isHeld });
  // A driver in this process does this itself at once.
  if (!isHeld) await (await import('#app/waiting/run-waiting.ts')).rememberForWaking(site, { runId, config });
  const { writeHeldOut } = await import('#adapters/store/held-out.ts');
  await writeHeldOut(runPathsOf(site, runId).heldOut, heldOut);
  return { runId, config };
}

function planned(at: number, proposal: PlanProposal): Event[] {
  const { version, by } = proposal;
  return [
    { at, type: 'plan-proposed', proposal },
    { at, type: 'plan-adopted', version, by },
  ];
}

/** Sorts by time and is short enough to type. */
export function newRunId(at: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T');
  return `${date.replaceAll('-', '')}-${time.slice(0, 5).replace(':', '')}-${randomBytes(2).toString('hex')}`;
}

/** No session would ever work on such a run. */
function refuseWithoutClient({ agents, foreign }: RunConfig): void {
  if (foreign !== undefined) return;
  if (!Object.values(agents).some(({ driver }) => driver === attachedDriver)) return;
  throw new OperatorError(
    'no-client',
    'The agent "interactive" needs an open session of its own client, and there is none here.',
    'Type /untildone:start in Claude Code (see `untildone help plugin`), or name another agent.',
  );
}

/** Without a browser every attempt would fail, so the run is refused before anything is spent. */
async function refuseWithoutBrowser({ ownEnv }: Site, tasks: readonly Task[]): Promise<void> {
  const criteria = tasks.flatMap((task) => task.criteria);
  const page = criteria.find(({ check, required }) => required && check.kind === 'browser');
  if (page === undefined) return;
  const { findBrowser } = await import('#adapters/machine/find-browser.ts');
  const found = findBrowser(ownEnv, ownEnv['CHROME_PATH'] ?? null);
  if (!('problem' in found)) return;
  const [problem = '', remedy = 'see `untildone doctor`'] = found.problem.split(': ');
  throw new OperatorError(
    'no-browser',
    `The check "${page.id}" needs a browser, and none can be used here: ${problem}.`,
    `Say "required": false, or: ${remedy}`,
  );
}
