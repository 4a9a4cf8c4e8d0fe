// The summary at the end of a run: outcome, proof, cost, where the work is, and the next command.
import type { Outcome } from '#kernel/model/outcome.ts';
import { whyNotApproved } from '#kernel/decide/reopen.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import {
  anotherPlan,
  reopenedLines,
  commandToResume,
  retryable,
  commandToRetry,
} from '#views/status/again.ts';
import { afterLandingLines, forkedLines, goneWords, landedLines } from '#views/lines/after-end.ts';
import { ranLine } from './agents.ts';
import { calibrationLines } from './calibration.ts';
import { approvalText, isByPerson } from './approved.ts';
import type { CriterionView } from '#views/status/criteria.ts';
import { criteriaOf } from '#views/status/criteria.ts';
import { ownWords, reasonWithWords } from '#views/lines/own-words.ts';
import { isReviewedOnly, outcomeMarks, proofLines, reviewHeadline, waysToProof } from './proof.ts';
import { isListed, openReport } from './report.ts';
import { reviewLines } from './reviews.ts';
import { unprotectedLines } from './sandbox.ts';
import { isCutOff, stateOf } from '#views/status/stage.ts';
import { marks } from '#views/status/status.ts';
import { tamperLines } from './tamper-ledger.ts';
import { taskLines } from '#views/status/task-list.ts';
import { undeliveredLines, unprovenLines } from '#views/questions/said.ts';
import { count, shortened, spentLine } from '#views/words.ts';

export interface SummaryPlace {
  readonly logsDir: string;
  /** The folder of the run is removed after success, and no command finds the run again. */
  readonly isTemporary?: boolean;
  readonly isBranchGone?: boolean;
  /** The driver of an unfinished run; null if there is none. */
  readonly holder?: string | null;
}

const headlines: { readonly [outcome in Outcome]: string } = {
  completed: `${outcomeMarks.completed} Completed`,
  failed: `${outcomeMarks.failed} Failed`,
  exhausted: `${outcomeMarks.exhausted} Exhausted`,
  blocked: `${outcomeMarks.blocked} Blocked`,
  // Terminals draw this mark over the next column.
  stopped: `${outcomeMarks.stopped}  Stopped`,
  unverified: `${outcomeMarks.unverified} Unverified`,
};

export function summaryText(run: Run, place: SummaryPlace): string {
  const end = run.outcome;
  if (end?.refused !== undefined) return refusedText(run, end.reason, place);
  const why = end === null ? '' : reasonWithWords(run, end.reason);
  const isInterrupted = place.holder === null && stateOf(run, null) === 'interrupted';
  const wasCutOff = place.holder === null && isCutOff(run, null);
  const unfinished = isInterrupted ? '⏸️  Interrupted' : '⏸️  Not finished';
  const headline = end === null ? unfinished : `${headlineOf(run, end.outcome)}: ${why}`;
  const proven = provenLines(run, why);
  const open = end?.outcome === 'completed' ? null : openReport(run, [why, ...proven].join('\n'));
  const isRemoved = place.isTemporary === true && end?.outcome === 'completed';
  const isTrial = isRemoved && run.config.policy.mayLeaveTreeUnchanged;
  return [
    headline,
    ...calibrationLines(run),
    '',
    ...proven,
    ...proofLines(run),
    ...reviewLines(run),
    ...tamperLines(run),
    ...unprovenLines(run),
    ...undeliveredLines(run),
    ...(open === null ? [] : ['', open]),
    '',
    `Spent: ${spentLine(run, wasCutOff)}`,
    `Ran: ${ranLine(run, wasCutOff)}`,
    `Branch: ${branchLine(run)}${goneWords(place)}`,
    ...afterLandingLines(run.acceptance?.runsAfterLanding),
    ...landedLines(run),
    ...reopenedLines(run),
    ...forkedLines(run),
    ...(isRemoved ? [] : [`Logs: ${run.cleaned === null ? place.logsDir : 'removed by `untildone clean`'}`]),
    ...(place.isTemporary === true && !isTrial ? [] : [`Next: ${nextAction(run)}`]),
    ...unprotectedLines(run.config),
  ].join('\n');
}

/** Nothing was built and nothing was spent: the reason, and the next command. */
function refusedText(run: Run, reason: string, { logsDir }: SummaryPlace): string {
  const [task] = run.tasks.keys();
  return [
    `✗ Not started: ${reason}. No session was started.`,
    `Logs: ${logsDir}`,
    'Next: correct that and run the same command again. --setup "…" names a command that installs what is missing.',
    `      If the work itself brings it: untildone retry ${task ?? ''} --run ${run.id}`,
  ].join('\n');
}

/** Neutral if a reviewer passed the work and nothing proves it: nothing failed. */
function headlineOf(run: Run, outcome: Outcome): string {
  const words = reviewHeadline(run);
  if (words === null) return headlines[outcome];
  return `${outcome === 'completed' ? '✅' : '🔎'} ${words}`;
}

/** `said`: the headline, which is not repeated. */
function provenLines(run: Run, shownText: string): string[] {
  const criteria = criteriaOf(run);
  if (criteria.length === 0) return [...taskLines(run), 'Nothing was checked: the run has no criteria.'];
  const lines =
    run.tasks.size > 1 ? manyLines(run, criteria, shownText) : evidenceLines(run, criteria, shownText);
  for (const task of run.tasks.values()) {
    if (!isRejected(task)) continue;
    const isKnown =
      task.failures.last === null || isListed(task.failures.last.reason, ofTask(criteria, task));
    const why = isKnown ? ' on a clean checkout' : ` (${shortened(task.failures.last?.reason ?? '', 200)})`;
    lines.push(`  ❌ commit ${task.commit?.slice(0, 10) ?? ''} was not accepted${why}`);
  }
  if (!criteria.some(isByPerson) && !criteria.some((one) => one.isMachine)) {
    lines.push('  ⚠️  Only an agent has reviewed this work: no check is configured.');
  }
  return lines;
}

function ofTask(criteria: readonly CriterionView[], { spec }: TaskState): CriterionView[] {
  return criteria.filter(({ taskId }) => taskId === spec.id);
}

function evidenceLines(run: Run, criteria: readonly CriterionView[], shownText: string): string[] {
  return [
    'Checks:',
    ...criteria.map((one) => `  ${marks[one.state]} ${one.id}: ${evidenceLine(run, one, shownText)}`),
  ];
}

/** For many tasks: the result of each, and the criteria that are not met. */
function manyLines(run: Run, all: readonly CriterionView[], shownText: string): string[] {
  const criteria = all.filter(({ taskId }) => run.tasks.get(taskId)?.status.is !== 'dropped');
  const passed = criteria.filter(({ state }) => state === 'pass');
  const clean = passed.filter(({ place }) => place === 'clean');
  const open = criteria.filter(
    ({ state, taskId }) => state !== 'pass' && (run.tasks.get(taskId)?.attempt ?? 0) > 0,
  );
  const shown = open.slice(0, openMax);
  return [
    ...taskLines(run),
    '',
    `Checks: ${passed.length} of ${count(criteria.length, 'criterion', 'criteria')} pass, ${clean.length} of them on a clean checkout`,
    ...shown.map(
      (one) => `  ${marks[one.state]} ${one.taskId}/${one.id}: ${evidenceLine(run, one, shownText)}`,
    ),
    ...(open.length > shown.length ? [`  … and ${open.length - shown.length} more`] : []),
  ];
}

const openMax = 15;

function evidenceLine(run: Run, one: CriterionView, shownText: string): string {
  if (!one.isMachine) {
    if (isByPerson(one)) return approvalText(one);
    if (one.state === 'pass') {
      const reason = one.reason ?? '';
      // Of several reviewers, the reason says which one.
      const who = /^(the .+) passed it$/.exec(reason)?.[1];
      const remark = who === undefined ? ` (${shortened(reason, 100)})` : '';
      return `passed by ${who ?? one.by}, an agent that did not do the work${remark}`;
    }
    return `${one.state}${one.reason === null ? '' : `: ${shortened(one.reason, 160)}`}`;
  }
  const own = ownWords(run, one);
  const words = own === '' || shownText.includes(own) ? '' : `: ${own}`;
  const where = one.place === 'clean' ? `on a clean checkout of ${commitOf(run, one)}` : 'in the workspace';
  const now =
    one.state === 'pass'
      ? `${isFlaky(one) ? `green now by policy (${one.reason ?? ''})` : 'green now'}, ${where}`
      : `${one.state}${one.place === 'clean' ? ` ${where}` : ''}${one.reason === null ? '' : ` (${shortened(one.reason, 160)})`}${words}`;
  return `\`${shortened(one.by, 60)}\` ${one.base === null ? 'not run on the base' : baseWords[one.base]} → ${now}${one.required ? '' : ' (not required)'}`;
}

function isFlaky({ reason }: CriterionView): boolean {
  return reason?.startsWith('flaky: ') === true;
}

const baseWords = {
  pass: 'green on the base already',
  fail: 'red on the base',
  unknown: 'undecided on the base',
} as const;

function commitOf(run: Run, one: CriterionView): string {
  return run.tip?.tree === one.tree
    ? `commit ${run.tip?.commit.slice(0, 10) ?? ''}`
    : `tree ${one.tree?.slice(0, 10) ?? ''}`;
}

function branchLine(run: Run): string {
  if (run.base === null) return 'none was made';
  const made = [...run.tasks.values()].flatMap((task) =>
    task.commit === null ? [] : [task.commit.slice(0, 10)],
  );
  // The final check of the whole is about the last commit and made none.
  const commits = [...new Set(made)];
  const kept = checkpointsLine(run);
  if (commits.length === 0)
    return `${run.base.branch}, nothing ${kept === '' ? '' : 'proven was '}committed${kept}${unprovenWork(run)}`;
  const accepted = run.outcome?.outcome === 'completed' ? '' : `, ${notAccepted(run)}`;
  return `${run.base.branch}, ${count(commits.length, 'commit')}${accepted}: ${commits.join(', ')}${kept}`;
}

function unprovenWork({ id, base, tasks, cleaned }: Run): string {
  const hasWork = [...tasks.values()].some(({ workTree }) => workTree !== null && workTree !== base?.tree);
  if (!hasWork) return '';
  return cleaned === null
    ? ` (unproven work stays under refs/untildone/${id}/)`
    : ' (`untildone clean` removed the unproven work)';
}

/** Work committed on the way; a checkpoint proves nothing. */
function checkpointsLine(run: Run): string {
  const kept = [...run.tasks.values()].flatMap((task) => task.loop.checkpoints);
  return kept.length === 0 ? '' : `, ${count(kept.length, 'checkpoint')} (not proven)`;
}

/** An unverified run was accepted, but by checks that prove nothing. */
function notAccepted(run: Run): string {
  if (run.outcome?.outcome === 'unverified') return 'not proven';
  return run.outcome === null ? 'not accepted yet' : 'not accepted';
}

/** The clean checkout rejected its commit, and the task was tried again. */
function isRejected(task: TaskState): boolean {
  return task.commit !== null && task.status.is !== 'landed';
}

/** Finished work is not paid for again: the run continues with the rest, or keeps its work without it. */
function goOn(run: Run, first: string): string {
  const taskId = retryable(run);
  const plan = anotherPlan(run);
  if (taskId === null && plan !== null)
    return `${first}, and request a new plan: ${plan}, then ${commandToResume(run)}`;
  if (taskId === null) return `${first}, and start again`;
  const done = [...run.tasks.values()].filter(({ status }) => status.is === 'landed').length;
  const keep = `keep ${done === 1 ? 'the task that is' : `the ${done} tasks that are`} done: untildone land ${run.id} --unproven`;
  const ways = [...(plan === null ? [] : [`request a new plan: ${plan}`]), ...(done === 0 ? [] : [keep])];
  return `${first}, then retry: ${[commandToRetry(run, taskId), ...ways].join('; or ')}`;
}

function reviewedNext(run: Run, diff: string): string {
  const ways = waysToProof(run);
  const width = Math.max(...ways.map(([command]) => command.length));
  const lines = ways.map(([command, what]) => `  ${command.padEnd(width)}  ${what}`);
  return [`review it (\`${diff}\`), then one of`, ...lines].join('\n');
}

/** How to complete an unverified run, if a person's approval can. */
function approval(run: Run): string {
  const isPossible = run.tip !== null && whyNotApproved(run, run.tip.tree) === null;
  return isPossible ? `if it is done: untildone approve ${run.id}; or ` : '';
}

/** The commit outlasts the run. A fork may share it with the old run; a squashed commit is its own. */
function statementName({ id, forked, landings: [landed] }: Run): string {
  return forked !== null && landed?.how !== 'squashed' ? id : (landed?.commit.slice(0, 10) ?? '');
}

function nextAction(run: Run): string {
  const [landed] = run.landings;
  if (run.cleaned !== null) {
    const statement = `; its statement: untildone export ${statementName(run)}`;
    return `nothing: the run was cleaned${landed?.isProven === true ? statement : ''}`;
  }
  if (landed !== undefined && run.outcome?.outcome === 'completed')
    return `nothing: its work is on ${landed.target}. To remove its logs: untildone clean`;
  const branch = run.base?.branch ?? '';
  const diff = run.base === null ? '' : `git diff ${run.base.commit.slice(0, 10)} ${branch}`;
  switch (run.outcome?.outcome) {
    case undefined:
      return `untildone resume ${run.id}`;
    case 'completed':
      if (run.config.policy.mayLeaveTreeUnchanged)
        return 'agents, logs and markers work here. Start a real run: untildone run "…"';
      // In place, the checkout is on the run's branch: first go back to the person's branch.
      return `review it with \`${diff}\`, then ${run.config.repo.inPlace ? 'go back to the branch you were on (git switch BRANCH) and land it' : 'land it'}: untildone land ${run.id}`;
    case 'unverified':
      if (isReviewedOnly(run)) return reviewedNext(run, diff);
      return `review it yourself (\`${diff}\`), and ${approval(run)}start a run with a check that fails before the work: untildone run "…" --check "…"`;
    case 'exhausted':
      return goOn(run, 'read what is open above');
    case 'failed':
    case 'blocked':
      return goOn(run, `read the logs above (untildone logs ${run.id}), correct the cause`);
    case 'stopped':
      return goOn(run, 'see why it was stopped');
  }
}
