// Shows the plan of a run: as text, as a graph, and as JSON to edit.
import { describeCheck } from '#kernel/model/check.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import { byUrgency } from '#kernel/planning/place-task.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { StatusName, Task } from '#kernel/model/task.ts';
import { criterionAsWritten } from './check-table.ts';
import type { PlanChanges } from './plan-changes.ts';
import { changeLines, changesBy, changesMade } from './plan-changes.ts';
import { isAnswered } from '#views/questions/said.ts';
import { count, shortened, tableLines, utc } from '#views/words.ts';

export interface PlanView extends PlanChanges {
  readonly goal: string;
  /** 0 if there is no plan. */
  readonly version: number;
  readonly isProposal: boolean;
  /** The state of a proposal, to follow its number; '' for the plan in force. */
  readonly standing: string;
  /** Why the plan cannot be completed as things are; '' if it can. */
  readonly warning: string;
  readonly why: string;
  readonly tasks: readonly PlannedTask[];
}

export interface PlannedTask {
  readonly spec: Task;
  readonly status: StatusName | 'proposed';
}

/** The plan that waits for approval, else the one in force. */
export function planOf(run: Run): PlanView {
  const { proposal, version, history } = run.plan;
  const { goal } = run.config;
  const known = [...run.tasks.values()].map(({ spec, status }) => ({ spec, status: status.is }));
  if (proposal === null) {
    const last = history.at(-1);
    return {
      goal,
      version,
      isProposal: false,
      standing: '',
      warning: '',
      why: last?.why ?? '',
      tasks: known.filter(({ status }) => status !== 'dropped'),
      ...changesMade(run),
    };
  }
  const done = known.filter(({ status }) => status === 'landed' || status === 'skipped');
  const proposed = proposal.tasks.map((spec): PlannedTask => ({ spec, status: 'proposed' }));
  const named = new Set([
    ...proposal.tasks.map(({ id }) => id),
    ...proposal.dropped.map(({ taskId }) => taskId),
  ]);
  // Tasks that a person added stay, even if the plan does not know of them.
  const wishes = [...run.tasks.values()]
    .map(({ origin, status, spec }) => ({ by: origin.by, status: status.is, spec }))
    .filter(
      ({ by, status, spec }) =>
        by !== 'plan' && by !== 'policy' && ['waiting', 'ready'].includes(status) && !named.has(spec.id),
    );
  return {
    goal,
    version: proposal.version,
    isProposal: true,
    standing: ` (${standingOf(run)})`,
    warning: fewSessions(run, proposal.tasks.length),
    why: proposal.why,
    tasks: [...done, ...byUrgency([...proposed, ...wishes])],
    ...changesBy(run, proposal),
  };
}

/** One session per task, if every task succeeds at once: a smaller budget cannot reach the end. */
function fewSessions({ id, budget, ledger }: Run, tasks: number): string {
  const left = budget.sessions - ledger.spent.sessions;
  if (left >= tasks) return '';
  const more = ledger.spent.sessions + 4 * tasks;
  return `The budget has ${count(left, 'session')} left for ${count(tasks, 'task')}; raise it: untildone resume ${id} --budget sessions=${more}`;
}

function standingOf(run: Run): string {
  const {
    version = 0,
    by,
    isApproved,
    approvedBy = isApproved === true ? by : null,
  } = run.plan.proposal ?? {};
  if (approvedBy !== null) return 'approved; it takes effect when the running task has ended';
  const item = { kind: 'plan', taskId: '', version, question: '' } as const;
  return isAnswered(run, item) ? 'decided; see below' : 'waits for approval';
}

/** Enough for a summary, and a note for each criterion that no machine can check. */
const whyMax = 1200;

/** A table, the criteria of each task, and the graph. */
export function planText(plan: PlanView): string {
  if (plan.tasks.length === 0) return 'There is no plan yet. See `untildone status`.';
  const title = `Plan ${plan.version}${plan.standing}: ${count(plan.tasks.length, 'task')}`;
  const lines = [`🗺️  ${title}`, `Goal: ${shortened(plan.goal.replaceAll(/\s+/g, ' '), 200)}`];
  if (plan.why !== '') lines.push(`Reason: ${shortened(plan.why.replaceAll(/\s+/g, ' '), whyMax)}`);
  lines.push('', ...table(plan.tasks), '', ...plan.tasks.flatMap(criteriaLines));
  lines.push(...changeLines(plan));
  lines.push('', 'Order:', ...graphLines(plan));
  if (plan.warning !== '') lines.push('', plan.warning);
  return lines.join('\n');
}

function table(tasks: readonly PlannedTask[]): string[] {
  const isAnyUrgent = tasks.some(({ spec }) => spec.rank !== undefined);
  const urgent = (cell: string): string[] => (isAnyUrgent ? [cell] : []);
  const rows = tasks.map(({ spec, status }) => [
    spec.id,
    marks[status],
    shortened(spec.title, 56),
    shortened(spec.dependsOn.join(', '), 30) || '–',
    ...urgent(priorityOf(spec) ?? '–'),
    spec.domain ?? '–',
    String(spec.files.length),
  ]);
  const head = ['Task', '', 'Title', 'After', ...urgent('Priority'), 'Domain', 'Files'];
  return tableLines([head, ...rows], '─').map((line) => `  ${line}`);
}

function priorityOf({ rank }: Task): string | undefined {
  return rank === undefined ? undefined : ['critical', 'high', 'medium', 'low'][rank];
}

const marks: { readonly [status in PlannedTask['status']]: string } = {
  proposed: '·',
  waiting: '·',
  ready: '·',
  active: '▶',
  'needs-input': '?',
  proven: '✓',
  landed: '✓',
  failed: '✗',
  skipped: '–',
  dropped: '–',
};

function criteriaLines({ spec }: PlannedTask): string[] {
  const own = spec.criteria.filter(({ guard }) => guard !== true);
  return [`  ${spec.id}  ${shortened(spec.title, 100)}`, ...own.map((one) => `      ${criterionLine(one)}`)];
}

function criterionLine({ kind, text, check, required }: Criterion): string {
  const how = describeCheck(check);
  const prefix = text === `\`${how}\` passes` ? '' : `${shortened(text, 80)}: `;
  return `${kind === 'entry' ? 'before' : 'done when'}  ${prefix}\`${shortened(how, 100)}\`${required ? '' : ' (not required)'}`;
}

/** Rows of tasks that depend only on tasks above them. */
function graphLines({ tasks }: PlanView): string[] {
  const left = new Map(tasks.map(({ spec }) => [spec.id, spec.dependsOn.filter((id) => has(tasks, id))]));
  const lines: string[] = [];
  const placed = new Set<string>();
  while (left.size > 0) {
    const row = [...left].filter(([, needs]) => needs.every((id) => placed.has(id))).map(([id]) => id);
    // A cycle cannot come into force, but this may be a draft.
    if (row.length === 0) return [...lines, `  (in a circle: ${[...left.keys()].join(', ')})`];
    lines.push(
      ...rowLines(
        placed.size === 0 ? ' ' : '↓',
        row.map((id) => nodeText(left, id)),
      ),
    );
    for (const id of row) {
      placed.add(id);
      left.delete(id);
    }
  }
  return lines;
}

/** Fits most terminals. */
const rowMax = 100;

function rowLines(mark: string, nodes: readonly string[]): string[] {
  const lines: string[] = [];
  for (const node of nodes) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + node.length + 3 <= rowMax)
      lines.push(`${lines.pop() ?? ''}   ${node}`);
    else lines.push(`  ${last === undefined ? mark : ' '} ${node}`);
  }
  return lines;
}

function nodeText(needs: ReadonlyMap<string, readonly string[]>, id: string): string {
  const after = needs.get(id) ?? [];
  return after.length === 0 ? `[${id}]` : `[${id} ← ${someOf(after)}]`;
}

/** The first few of many: `plan --json` has all of them. */
function someOf(ids: readonly string[]): string {
  const more = ids.length - 4;
  return more < 2 ? ids.join(', ') : `${ids.slice(0, 4).join(', ')} and ${more} more`;
}

function has(tasks: readonly PlannedTask[], id: string): boolean {
  return tasks.some(({ spec }) => spec.id === id);
}

const colours: ReadonlyMap<string, string> = new Map([
  ['landed', '#d5f5d5'],
  ['failed', '#f5d5d5'],
  ['active', '#fdf3c8'],
]);

export function planMermaid({ tasks }: PlanView): string {
  // By index: ids may contain characters that a node name cannot have.
  const node = (id: string): string => `t${tasks.findIndex(({ spec }) => spec.id === id) + 1}`;
  const label = (text: string): string => shortened(text, 60).replaceAll('"', '#quot;').replaceAll('\n', ' ');
  return [
    'graph TD',
    ...tasks.map(
      ({ spec, status }) =>
        `  ${node(spec.id)}["${spec.id} ${label(spec.title)}"]${colours.has(status) ? `:::${status}` : ''}`,
    ),
    ...tasks.flatMap(({ spec }) =>
      spec.dependsOn.filter((id) => has(tasks, id)).map((id) => `  ${node(id)} --> ${node(spec.id)}`),
    ),
    ...[...colours].map(([status, colour]) => `  classDef ${status} fill:${colour}`),
  ].join('\n');
}

/** The open tasks, as a person edits them and `run --plan` reads them. */
export function planJson(run: Run) {
  const { goal, version, isProposal, why, tasks, dropped } = planOf(run);
  return {
    runId: run.id,
    goal,
    version,
    isProposal,
    updatedAt: utc(run.now),
    summary: why,
    tasks: tasks.map(({ spec, status }) => ({
      ...writtenTask(spec, run.config.policy.planning?.checkTimeoutMs),
      status,
      // Added by the policy itself at its time, so no part of what a person writes.
      ...(run.tasks.get(spec.id)?.origin.by === 'policy' ? { by: 'policy' } : {}),
    })),
    dropped,
    history: run.plan.history.map((change) => ({ ...change, at: utc(change.at) })),
  };
}

function writtenTask(spec: Task, usualMs: number | undefined) {
  const { creates = [], agents = {} } = spec;
  const own = spec.criteria.filter(({ guard }) => guard !== true);
  const written = (wanted: Criterion['kind']): object[] =>
    own.filter(({ kind }) => kind === wanted).flatMap((one) => criterionAsWritten(one, usualMs) ?? []);
  const agentRows = Object.entries(agents).map(([role, { name, model }]) => [
    role,
    model === null ? name : `${name}:${model}`,
  ]);
  return {
    id: spec.id,
    title: spec.title,
    description: spec.description,
    files: spec.files.filter((path) => !creates.includes(path)),
    ...(creates.length === 0 ? {} : { creates }),
    hints: spec.hints,
    dependsOn: spec.dependsOn,
    ...(spec.domain === null ? {} : { domain: spec.domain }),
    ...(spec.mayChange.length === 0 ? {} : { mayChange: spec.mayChange }),
    ...(agentRows.length === 0 ? {} : { agents: Object.fromEntries(agentRows) as object }),
    ...(spec.securityCritical === true ? { securityCritical: true } : {}),
    ...(spec.rank === undefined ? {} : { priority: priorityOf(spec) }),
    entryCriteria: written('entry'),
    exitCriteria: written('exit'),
  };
}
