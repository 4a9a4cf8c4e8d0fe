// Lists the attention items of a run: questions that only a person can decide now.
import { beganWith } from '#kernel/proof/checkpoint.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { StuckRun } from '#kernel/planning/stuck-run.ts';
import { stuckRunOf } from '#kernel/planning/stuck-run.ts';
import { isForPerson } from '#kernel/decide/decide-controls.ts';
import { isChoiceDue } from '#kernel/actions/settle-choice.ts';
import { choiceNumber } from '#kernel/actions/action-loop.ts';
import { leftToPerson } from '#kernel/proof/left-to-person.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import type { Gap } from '#kernel/proof/proof.ts';
import { gapsInProof, leftAtAcceptance } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { needsPerson, openSuspensions, suspensionWords } from '#kernel/waiting/suspension.ts';
import { wayLines } from '#views/waiting/suspended.ts';
import { lastActionResult } from '#views/actions/loop-state.ts';
import { isAnswered } from './said.ts';
import { awaitingOf, isAttemptOver } from '#kernel/fold/work.ts';

export type AttentionItem = {
  readonly taskId: string;
  /** In one sentence. */
  readonly question: string;
} & (
  | { readonly kind: 'question'; readonly questionId: string }
  | {
      readonly kind: 'verdict';
      readonly criterionId: string;
      /** The work to judge; a verdict on another tree is refused. */
      readonly tree: string;
      /** What it is compared with. */
      readonly baseTree: string;
    }
  /** The next action of the loop; `turn` identifies the choice. */
  | { readonly kind: 'choice'; readonly turn: number }
  /** A plan that waits for approval. */
  | { readonly kind: 'plan'; readonly version: number }
  /** The run is stuck; identified by the number of plans so far and by the failed tasks. */
  | { readonly kind: 'dead-end'; readonly plans: number; readonly failed: string }
  /** A suspension that ends only with a person's answer. */
  | { readonly kind: 'suspension'; readonly suspensionId: string }
  /** A changed pinned file that someone else than its author may accept. */
  | {
      readonly kind: 'tampering';
      readonly path: string;
      readonly tree: string;
      readonly baseTree: string;
    }
);

/** Without questions that are already answered, also if no driver has read the answer yet. */
export function attentionItems(run: Run): AttentionItem[] {
  return run.outcome === null ? openAttentionItems(run).filter((item) => !isAnswered(run, item)) : [];
}

/** Answered or not. */
export function openAttentionItems(run: Run): AttentionItem[] {
  return [...suspensionItems(run), ...workItems(run)];
}

function suspensionItems(run: Run): AttentionItem[] {
  return openSuspensions(run)
    .filter(needsPerson)
    .map((suspension) => ({
      kind: 'suspension',
      taskId: suspension.taskId ?? '',
      suspensionId: suspension.id,
      question: suspensionWords(suspension),
    }));
}

function workItems(run: Run): AttentionItem[] {
  if (isPlanAsked(run)) return [...planItems(run), ...[...run.queue.active].flatMap(questionAsked)];
  const stuckRun = stuckRunOf(run);
  if (stuckRun !== null)
    return [stuckRunItem(run, stuckRun), ...[...run.queue.active].flatMap(questionAsked)];
  const left = leftAtAcceptance(run);
  if (left.length > 0) return left.flatMap((gap) => atAcceptance(run, gap));
  const waiting = run.queue.ready.filter((task) => !run.queue.active.has(task) && isChoiceDue(run, task));
  return [
    ...[...run.queue.active].flatMap((task) => {
      const asked = questionAsked(task);
      if (asked.length > 0) return asked;
      return isChoiceDue(run, task) ? [choiceOf(task)] : verdictsOn(run, task);
    }),
    ...waiting.map(choiceOf),
  ];
}

function questionAsked({ status, spec }: TaskState): AttentionItem[] {
  if (status.is !== 'needs-input') return [];
  const { question } = status;
  return [{ kind: 'question', taskId: spec.id, questionId: question.id, question: question.text }];
}

function choiceOf(task: TaskState): AttentionItem {
  const { spec, actions } = task;
  const last = lastActionResult(task);
  const done = last === '' ? '' : `${withoutFullStop(last)}. `;
  return {
    kind: 'choice',
    taskId: spec.id,
    turn: choiceNumber(actions),
    question: `${done}Which action is next?`,
  };
}

function isPlanAsked({ plan, config }: Run): boolean {
  return (
    plan.proposal !== null &&
    plan.proposal.isApproved !== true &&
    plan.proposal.approvedBy === undefined &&
    config.policy.planning?.approval === 'person'
  );
}

function planItems({ plan }: Run): AttentionItem[] {
  const version = plan.proposal?.version ?? 0;
  return [{ kind: 'plan', taskId: '', version, question: `Approve plan ${version}?` }];
}

function stuckRunItem(run: Run, { why, failed }: StuckRun): AttentionItem {
  return {
    kind: 'dead-end',
    taskId: '',
    plans: run.ordinals.get('architect') ?? 0,
    failed: failed.join(),
    question: `How should the run continue? ${withoutFullStop(why)}.`,
  };
}

function atAcceptance(
  run: Run,
  { taskId, criterionId, why }: Gap & { readonly taskId: string },
): AttentionItem[] {
  const criterion = run.tasks.get(taskId)?.spec.criteria.find(({ id }) => id === criterionId);
  if (criterion === undefined || run.tip === null || run.base === null) return [];
  const question = `Does the work meet "${criterion.text}"? The final acceptance did not decide it: ${why}.`;
  const trees = { tree: run.tip.tree, baseTree: run.base.tree };
  return [{ kind: 'verdict', taskId, criterionId: criterion.id, question, ...trees }];
}

/** Only once nothing else is missing: an earlier review would waste a person's time. */
function verdictsOn(run: Run, task: TaskState): AttentionItem[] {
  const { workTree: tree } = task;
  const baseTree = beganWith(run, task);
  if (tree === null || baseTree === null || task.runningSteps > 0) return [];
  const asked = awaitingOf(task) === null ? null : leftToPerson(run, task);
  if (asked !== null) return asked.map((gap) => itemOf(task, gap, { tree, baseTree }));
  // A loop over criteria asks after a successful last session: that attempt is over, and did not fail.
  if (isAttemptOver(task) && task.failures.last !== null) return [];
  const open = gapsInProof(run, task, tree).map(({ criterionId }) =>
    task.spec.criteria.find(({ id }) => id === criterionId),
  );
  const ours = open.flatMap((one) => (one !== undefined && isOpen(task, one, tree) ? [one] : []));
  if (ours.length < open.length) return [];
  return ours.map((criterion) => ({
    kind: 'verdict',
    taskId: task.spec.id,
    criterionId: criterion.id,
    question: questionOf(task, criterion),
    tree,
    baseTree,
  }));
}

function itemOf(
  task: TaskState,
  { criterionId, why, pin }: Gap,
  trees: { readonly tree: string; readonly baseTree: string },
): AttentionItem {
  const { id: taskId, criteria } = task.spec;
  if (pin !== undefined) {
    const question = `Accept this change? ${withoutFullStop(why)}.`;
    return { kind: 'tampering', taskId, path: pin.path, question, ...trees };
  }
  const criterion = criteria.find(({ id }) => id === criterionId);
  const question = criterion === undefined ? why : questionOf(task, criterion);
  return { kind: 'verdict', taskId, criterionId: criterionId ?? '', question, ...trees };
}

/** A person who has decided is not asked again. */
function isOpen(task: TaskState, criterion: Criterion, tree: string): boolean {
  const evidence = task.evidence.get(criterion.id)?.attempt;
  const isDecided = evidence?.tree === tree && evidence.verdict !== 'unknown';
  return !isDecided && isForPerson(task, criterion, tree);
}

function questionOf(task: TaskState, { id, check, text }: Criterion): string {
  if (check.kind === 'human') return check.question;
  const reason = task.evidence.get(id)?.attempt?.reason ?? 'no check could decide';
  return `Does the work meet "${text}"? It is undecided: ${withoutFullStop(reason)}.`;
}

/** The choices, in the order of the menu. */
export const choices: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'develop', description: 'let the agent work on the open tasks' },
  { name: 'debug', description: 'let the agent find and fix the cause of a failure' },
  { name: 'validate', description: 'run the checks on the files as they are' },
  { name: 'complete', description: 'accept the work if everything is proven' },
];

export function commandsOf(run: Run, item: AttentionItem): string[] {
  if (item.kind === 'question') return [`untildone answer "…" --run ${run.id} --question ${item.questionId}`];
  if (item.kind === 'choice')
    return choices.map(
      ({ name, description }) => `untildone choose ${name.padEnd(8)} --run ${run.id}   # ${description}`,
    );
  if (item.kind === 'plan')
    return [
      `untildone approve ${run.id}`,
      `untildone reject ${run.id} --why "…"`,
      `untildone plan --run ${run.id}`,
      `untildone plan --replace FILE --run ${run.id}`,
    ];
  if (item.kind === 'dead-end') return waysOn(run, item.failed);
  if (item.kind === 'suspension') {
    const suspension = run.suspensions.get(item.suspensionId);
    return suspension === undefined ? [] : wayLines(run, suspension, true);
  }
  if (item.kind === 'tampering')
    return [
      `untildone accept ${quoted(item.path)} --run ${run.id} --why "…"`,
      `untildone retry ${item.taskId} --run ${run.id}`,
    ];
  const about = `${run.id} --task ${item.taskId} --criterion ${item.criterionId} --tree ${item.tree.slice(0, 10)}`;
  return [`untildone approve ${about}`, `untildone reject ${about} --why "…"`];
}

/** Quotes for a shell; most paths need none. */
export function quoted(path: string): string {
  return /^(?!~)[\w./~@%+:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Of many failed tasks the first ones: `status` has the others. */
const failedShown = 3;

function waysOn({ id }: Run, failed: string): string[] {
  const tasks = failed.split(',').filter((one) => one !== '');
  return [
    ...tasks
      .slice(0, failedShown)
      .flatMap((one) => [
        `untildone retry ${one} --run ${id}`,
        `untildone skip ${one} --run ${id} --why "…"`,
      ]),
    `untildone plan --again "…" --run ${id}`,
    `untildone plan --replace FILE --run ${id}`,
    `untildone stop ${id}`,
  ];
}
