// Decides whether an attached session may end, and the message to it if it may not.
import { describeCheck, isMachineCheck } from '#kernel/model/check.ts';
import { isExitBlocked } from '#kernel/fold/loop.ts';
import { shownOutput } from '#kernel/model/shown-output.ts';
import type { Gap } from '#kernel/proof/proof.ts';
import { gapsInPreview } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { isHeldOut } from './for-agents.ts';
import { currentTask } from '#views/status/stage.ts';
import { criteriaLines } from '#views/status/status.ts';
import { isLetGo } from '#views/waiting/suspended.ts';
import { shortened } from './words.ts';
import { questionOf } from '#kernel/model/task.ts';

/** `note` is for the person, `reason` for the agent. */
export type Exit =
  | { readonly kind: 'open'; readonly note: string }
  | { readonly kind: 'shut'; readonly note: string; readonly reason: string };

/** Why the session may end without a preview; null if a preview decides. */
export function openAnyway(run: Run): string | null {
  const { loops } = run.config.policy;
  const task = currentTask(run);
  if (run.outcome !== null) return `The run ${run.id} has ended: ${run.outcome.outcome}.`;
  if (run.stopping !== null) return `The run ${run.id} is being stopped.`;
  if (run.paused !== null || isLetGo(run)) return `The run ${run.id} is suspended; its criteria stay open.`;
  if (run.trouble !== null) return `Run ${run.id} cannot continue: ${run.trouble.reason} ${run.trouble.hint}`;
  if (loops !== undefined && !isExitBlocked(loops))
    return `The settings (loops) let this session end at any time; run ${run.id} stays open.`;
  if (task === null) return `Run ${run.id} has no open task.`;
  return null;
}

/** The agent's question for the person; '' if none. It unblocks nothing, or agents would ask to get out. */
export function askedNote(run: Run): string {
  const task = currentTask(run);
  const question = task === null ? null : questionOf(task);
  return question === null
    ? ''
    : `The agent asks: ${shortened(question.text, 300)}\nAnswer in a terminal (untildone answer "…"), or let the session end for now with /untildone:suspend.`;
}

/** Decides by the preview with this id. Until it has a result, nothing is known and the exit stays blocked. */
export function exitAfterPreview(run: Run, previewId: string): Exit {
  const anyway = openAnyway(run);
  const task = currentTask(run);
  if (anyway !== null || task === null) return { kind: 'open', note: anyway ?? '' };
  if (task.previews.newest === null || !task.previews.newest.answers.includes(previewId))
    return {
      kind: 'shut',
      note: askedNote(run),
      reason: `The checks of this run did not finish in time, so it is unknown whether the work is done.\n\n${rules(run)}`,
    };
  const gaps = gapsInPreview(run, task);
  if (gaps.length > 0) return { kind: 'shut', note: askedNote(run), reason: blockedReason(run, task, gaps) };
  const passes = `Every check of the run ${run.id} passes.`;
  if (task.status.is === 'needs-input')
    return {
      kind: 'open',
      note: `${passes} It can be proven when you have answered and this session is closed. ${askedNote(run)}`,
    };
  return {
    kind: 'open',
    note: `${passes} It can be proven when this session is closed. That happens by itself, or with \`untildone resume ${run.id}\`.`,
  };
}

function blockedReason(run: Run, task: TaskState, gaps: readonly Gap[]): string {
  const parts = gaps.map((gap) => {
    if (gap.criterionId === null) return `- ${gap.why}`;
    if (isKept(task, gap.criterionId)) return '- something that this session has not been shown';
    return `- ${gap.criterionId}: ${textOf(task, gap.criterionId)}\n  ${shortened(gap.why, 500)}${outputOf(task, gap.criterionId)}`;
  });
  return [
    `The work is not done. Checks on a clean checkout of your files show that ${gaps.length === 1 ? 'this is' : 'these are'} open.`,
    parts.join('\n'),
    rules(run),
  ].join('\n\n');
}

function isKept(task: TaskState | undefined, criterionId: string): boolean {
  return task?.spec.criteria.some((one) => one.id === criterionId && isHeldOut(one)) ?? false;
}

/** The output of the check, as the builder of any run gets it. */
function outputOf(task: TaskState, criterionId: string): string {
  const evidence = task.evidence.get(criterionId)?.look;
  const output = evidence === undefined ? '' : shownOutput(evidence, tailMax).trim();
  return output === '' ? '' : `\n\n\`\`\`\n${output}\n\`\`\``;
}

const tailMax = 3000;

function textOf(task: TaskState, criterionId: string): string {
  const criterion = task.spec.criteria.find(({ id }) => id === criterionId);
  if (criterion === undefined) return '';
  const how = isMachineCheck(criterion.check) ? ` (\`${describeCheck(criterion.check)}\`)` : '';
  return `${shortened(criterion.text, 300)}${how}`;
}

function rules(run: Run): string {
  return `This session belongs to run ${run.id} and may end when its checks pass. Fix the open items. Do not edit tests or checks to make them pass; that is detected. If you cannot continue, say why. Only the user can suspend (/untildone:suspend) or release (/untildone:release) this session.${askedRule(run)}`;
}

function askedRule(run: Run): string {
  return askedNote(run) === ''
    ? ''
    : ' Your question does not end this session: ask it in the chat. The user can answer it (untildone answer "…") or suspend (/untildone:suspend). Until then, work on what does not depend on it.';
}

/** The first message to a session that becomes attached to a run. */
export function briefing(run: Run): string {
  const task = currentTask(run);
  const criteria = criteriaLines(run, null, {
    isShown: ({ taskId, id }) => !isKept(run.tasks.get(taskId), id),
  });
  return [
    `You work on run ${run.id}. The task:`,
    task?.spec.description ?? run.config.goal,
    `Acceptance criteria (Untildone checks each of them, on your files):\n${criteria.join('\n')}`,
    'You cannot end your turn before they hold. You need not commit; proven work is committed for you.',
  ].join('\n\n');
}
