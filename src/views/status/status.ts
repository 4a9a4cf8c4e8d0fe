// `status`: the state of a run, with its criteria, its agents and their cost.
import { wholeTask } from '#kernel/fold/loop.ts';
import { gapsInPreview } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { reopenedLines } from './again.ts';
import { agentsLine, ranLine } from '#views/report/agents.ts';
import { calibrationLines } from '#views/report/calibration.ts';
import type { CriterionView } from './criteria.ts';
import { criteriaOf } from './criteria.ts';
import { forkedLines, goneWords, landedLines } from '#views/lines/after-end.ts';
import { attentionItems } from '#views/questions/attention-items.ts';
import { reasonWithWords } from '#views/lines/own-words.ts';
import { outcomeWord, proofLines } from '#views/report/proof.ts';
import { reviewLines } from '#views/report/reviews.ts';
import { currentTask, isCutOff, stageUnder, stateOf } from './stage.ts';
import { tamperLines } from '#views/report/tamper-ledger.ts';
import { taskLines } from './task-list.ts';
import { commandToEndWait, isLetGo } from '#views/waiting/suspended.ts';
import { unprovenLines } from '#views/questions/said.ts';
import { budgetLeft, payerWords, shortened, spentLine, workTime } from '#views/words.ts';

export const marks: { readonly [state in CriterionView['state']]: string } = {
  pass: '✅',
  fail: '❌',
  pending: '⏳',
  unknown: '❓',
  skipped: '⏭️',
};

interface StatusPlace {
  readonly holder: string | null;
  readonly isBranchGone?: boolean;
  /** The question for the person is shown below it. */
  readonly isAskedBelow?: boolean;
}

export function statusText(run: Run, who: StatusPlace): string {
  const task = currentTask(run);
  const wasCutOff = isCutOff(run, who.holder);
  const lines = [
    ...(isLoop(run) ? loopHead(run, who.holder) : plainHead(run, who.holder)),
    '',
    ...(run.tasks.size > 1 ? [...taskLines(run), ''] : []),
    isLoop(run) ? 'Acceptance Criteria:' : 'Criteria:',
    ...criteriaLines(run),
    ...reviewLines(run),
    ...tamperLines(run),
    ...unprovenLines(run),
    '',
    ...endOrExit(run),
    ...proofLines(run),
    ...calibrationLines(run),
    ...(isLoop(run) ? ['', `Run: ${run.id} (${run.config.preset})`] : []),
    ...(saysHowItEnded(run) ? [] : [`Status: ${statusWords(run, who)}`]),
    `Driver: ${driverWords(run, who.holder)}`,
    `Agents: ${agentsLine(run)}`,
    `Ran: ${ranLine(run, wasCutOff)}`,
    paymentLine(run),
    `Spent: ${spentLine(run, wasCutOff)}`,
    `Left: ${budgetLeft(run)}`,
    `Branch: ${run.base?.branch ?? 'not made yet'}${run.tip === null ? '' : ` at ${run.tip.commit.slice(0, 10)}`}${goneWords(who)}`,
    `Time: ${workTime(run, wasCutOff)} elapsed`,
    ...landedLines(run),
    ...reopenedLines(run),
    ...forkedLines(run),
  ];
  if (task?.failures.last !== null && task?.failures.last !== undefined && run.outcome === null) {
    lines.push(
      `Last failure: attempt ${task.failures.last.attempt}: ${shortened(reasonWithWords(run, task.failures.last.reason), 300)}`,
    );
  }
  return lines.join('\n');
}

/** The preset `criteria` prints the block that tools for such loops read; other presets have a plain status. */
function isLoop(run: Run): boolean {
  return run.config.preset === 'criteria';
}

function loopHead(run: Run, holder: string | null): string[] {
  return [
    loopHeading(run, holder),
    `Task: ${taskWords(run, currentTask(run))}`,
    `Iteration: ${iterations(run)}`,
    `Retries: ${retries(run)}`,
  ];
}

function loopHeading(run: Run, holder: string | null): string {
  if (run.outcome !== null) return '📊 Loop Session';
  return stateOf(run, holder) === 'interrupted' ? '📊 Loop Session (interrupted)' : '📊 Active Loop Session';
}

function plainHead(run: Run, holder: string | null): string[] {
  const state = run.outcome === null ? stateOf(run, holder) : outcomeWord(run, run.outcome.outcome);
  return [
    `📊 Run ${run.id} (${run.config.preset}): ${state}`,
    `Task: ${taskWords(run, currentTask(run))}`,
    `${run.config.policy.actions === undefined ? 'Attempts' : 'Turns'}: ${iterations(run)}`,
  ];
}

function statusWords(run: Run, { holder, isAskedBelow = false }: StatusPlace): string {
  const stage = stageUnder(run, holder);
  const [item] = isAskedBelow ? attentionItems(run) : [];
  return item !== undefined && stage.endsWith(item.question) ? 'waiting for a person (see below)' : stage;
}

function taskWords(run: Run, task: TaskState | null): string {
  if (task !== null) return `${task.spec.id} - ${shortened(task.spec.title, 80)}`;
  return run.config.policy.planning === undefined ? 'none' : 'none yet, the plan comes first';
}

interface CriteriaShown {
  readonly isShown?: (one: CriterionView) => boolean;
  /** Text shown beside them; a reason in it is not repeated. */
  readonly shownText?: string;
}

/** Of the named task, else of the current one. */
export function criteriaLines(
  run: Run,
  wanted: string | null = null,
  { isShown = () => true, shownText = '' }: CriteriaShown = {},
): string[] {
  const shown = wanted ?? currentTask(run)?.spec.id;
  const criteria = criteriaOf(run).filter(
    (one) => (run.tasks.size < 2 || one.taskId === shown) && isShown(one),
  );
  if (criteria.length === 0) return ['  (none)'];
  return criteria.map(
    (one) => `  ${markOf(one)} ${one.id}: ${shortened(one.text, 100)}${remarkUnless(shownText, one)}`,
  );
}

function remarkUnless(shownText: string, one: CriterionView): string {
  const isShown = one.reason !== null && one.reason !== '' && shownText.includes(one.reason);
  return isShown && (one.state === 'fail' || one.state === 'unknown') ? '' : remark(one);
}

/** A check that passes only by changed pinned files is no good news. */
function markOf({ state, withPins }: CriterionView): string {
  const isDoubtful = state === 'pass' && withPins !== null && withPins.verdict !== 'pass';
  return isDoubtful ? '⚠️ ' : marks[state];
}

export function iterations(run: Run): number {
  let all = 0;
  for (const task of run.tasks.values()) all += iterationsOf(run, task);
  return all;
}

/** Passes over the criteria, turns of an action loop that gave a result, or attempts. */
function iterationsOf(run: Run, { loop, actions, attempt }: TaskState): number {
  if (run.config.policy.actions !== undefined) return actions.iteration;
  return loop.iteration > 0 ? loop.iteration : attempt;
}

export function retries(run: Run): number {
  let all = 0;
  for (const task of run.tasks.values())
    all += run.config.policy.actions === undefined ? retriesOf(task) : failedTurns(task);
  return all;
}

/** Failures that were retried: of criteria in a loop over criteria, else attempts after the first. */
function retriesOf({ loop, attempt }: TaskState): number {
  if (loop.iteration === 0) return Math.max(0, attempt - 1);
  let all = 0;
  for (const [id, { count }] of loop.failures) if (id !== wholeTask) all += count;
  return Math.max(all, loop.failures.get(wholeTask)?.count ?? 0);
}

function failedTurns({ actions }: TaskState): number {
  return actions.taken.filter(({ status }) => status === 'failed').length;
}

function paymentLine(run: Run): string {
  const payers = Object.values(run.config.agents).map(({ payer }) => payer);
  const words = [...new Set(payers.map(payerWords))].join(' · ');
  return payers.every((one) => one?.kind === 'nobody') ? `Cost: ${words}` : `Paid by: ${words}`;
}

function driverWords(run: Run, holder: string | null): string {
  if (run.outcome !== null) return 'none, the run has ended';
  if (holder !== null) return holder;
  const way = commandToEndWait(run);
  if (way !== null) return `none; \`${way}\` ends the wait`;
  if (run.config.foreign !== undefined && run.running.size > 0)
    return 'none while the interactive session is open; then `untildone resume`';
  // A plain resume would be refused again.
  const hint = run.trouble?.hint ?? '';
  if (hint.includes('untildone resume')) return `none. ${hint}`;
  return 'none; continue with `untildone resume`';
}

/** Whether a session may end is a question of loops and of attached sessions alone. */
function endOrExit(run: Run): string[] {
  const { outcome } = run;
  if (outcome === null) return hasExit(run) ? [`Can exit: ${mayLeave(run) ?? 'No (incomplete)'}`] : [];
  if (!saysHowItEnded(run)) return ['Can exit: Yes'];
  return [`Ended: ${outcomeWord(run, outcome.outcome)} (${reasonWithWords(run, outcome.reason)})`];
}

function hasExit(run: Run): boolean {
  return isLoop(run) || run.config.foreign !== undefined;
}

/** The line `Ended:` has the outcome and its reason. */
function saysHowItEnded(run: Run): boolean {
  if (run.outcome === null) return false;
  return run.outcome.outcome !== 'completed' || !hasExit(run);
}

/** For an attached session only; it proves nothing. */
function mayLeave(run: Run): string | null {
  if (run.config.foreign === undefined) return null;
  if (run.paused !== null || isLetGo(run)) return 'Yes (suspended; nothing is proven)';
  const task = currentTask(run);
  if (task === null || task.previews.newest === null || gapsInPreview(run, task).length > 0) return null;
  return 'Yes (every check passed in the last preview; it is proven once the session is closed)';
}

function remark(one: CriterionView): string {
  if (one.state === 'pass' && one.withPins !== null)
    return ` (with the changed files: pass; with the pinned files as they were: ${one.withPins.verdict}, ${shortened(one.withPins.reason, 120)})`;
  if (one.skipped !== null) return ` (skipped by ${one.skipped.by}: ${shortened(one.skipped.why, 80)})`;
  if (!one.required) return ' (not required)';
  if (one.state === 'fail' || one.state === 'unknown')
    return ` (${one.place === 'clean' ? 'on a clean checkout: ' : ''}${shortened(one.reason ?? '', 120)})`;
  if (one.state === 'pending' && one.look !== null)
    return ` (${one.look.verdict} in the last preview${one.look.verdict === 'pass' ? '' : `: ${shortened(one.look.reason, 120)}`})`;
  return one.base === 'pass' && one.isMachine ? ' (passed before the work)' : '';
}
