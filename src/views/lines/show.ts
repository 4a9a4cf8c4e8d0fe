// `show`: the life of a run, fact by fact, in one line each.
import { isSuspensionEvent } from '#kernel/waiting/suspension.ts';
import { describeSuspensionEvent } from '#views/waiting/suspension-events.ts';
import { describeProcessEnding, describeSessionEnding } from '#kernel/model/ending.ts';
import { unprovenPrefix } from '#kernel/events/control.ts';
import type { Event } from '#kernel/events/events.ts';
import { failureWords } from '#kernel/model/shown-output.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import { refusalOf } from '#kernel/proof/proof.ts';
import { sessionName } from '#kernel/model/session-name.ts';
import type { Signal } from '#kernel/model/signal.ts';
import type { Step, StepResult } from '#kernel/model/step.ts';
import { describeVerdict } from '#views/report/reviews.ts';
import { calibrationLine } from '#views/report/calibration.ts';
import { describeActionEvent } from '#views/actions/action-events.ts';
import { describeCriteriaEvent } from './criteria-events.ts';
import { describeRunEvent, isRunEvent } from './run-events.ts';
import { describePlanEvent } from '#views/plan/plan-events.ts';
import { deedOf } from '#views/status/stage.ts';
import type { StepNames } from './step-names.ts';
import { namesOfEvents, plainName } from './step-names.ts';
import { count, shortened, utc } from '#views/words.ts';
import type { Tampering } from '#kernel/events/tampering-facts.ts';

/** Each event has its number: `fork --from` takes it. */
export function historyText(events: readonly Event[]): string {
  const names = namesOfEvents(events);
  const width = String(events.length).length;
  return events
    .map(
      (event, index) =>
        `${String(index + 1).padStart(width)}  ${utc(event.at).slice(0, 19).replace('T', ' ')}  ${describeEvent(event, names)}${ownWords(event)}`,
    )
    .join('\n');
}

/** What a failed check printed about its failure; the line mode of a run shows more of it below the line. */
function ownWords(event: Event): string {
  if (event.type !== 'evidence-recorded' || event.evidence.verdict !== 'fail') return '';
  const words = refusalOf(event.evidence) === undefined ? failureWords(event.evidence) : '';
  return words === '' ? '' : `: ${words}`;
}

function lost(what: string, why: string): string {
  return `${what} ${what.startsWith('the checks') ? 'were' : 'was'} lost: ${why}`;
}

/** One that nobody vouches for keeps its id: what it claims to be may be untrue. */
function controlName(id: string, names: StepNames): string {
  const name = names(id);
  return name === plainName(id) || id.startsWith(unprovenPrefix) ? `control ${id}` : `${name} was`;
}

/** One sentence about one fact; the line mode of a run prints the same. */
export function describeEvent(event: Event, names: StepNames = plainName): string {
  if (isSuspensionEvent(event)) return describeSuspensionEvent(event);
  if (isRunEvent(event)) return describeRunEvent(event);
  switch (event.type) {
    case 'driver-started':
      return `driver ${event.epoch} started (${event.driver})`;
    case 'driver-left':
      // The whole reason is said where the run is parked.
      return `driver left: ${shortened(firstLine(event.reason), 100)}`;
    case 'task-added':
      return `task ${event.task.id}: ${shortened(event.task.title, 100)}`;
    case 'step-started':
      return started(event.step);
    case 'step-ended':
      return ended(names(event.stepId), event.result);
    case 'step-lost':
      return lost(names(event.stepId), event.reason);
    case 'evidence-recorded':
      return evidence(event.evidence);
    case 'workspace-restored':
      return `files put back (${event.reason}); what was there is kept as ${event.keptAs}`;
    case 'ref-restored':
      if (event.action === 'left')
        return `${event.ref} was ${/^(refs\/|HEAD$)/.test(event.ref) ? 'moved' : 'changed'} meanwhile; left as it is`;
      if (event.action === 'ignored')
        return `${event.ref} was changed meanwhile; it has no force in this run`;
      return `${event.ref} ${event.action}${event.keptAs === '' ? '' : `; what was there is kept as ${event.keptAs}`}`;
    case 'tampering-seen':
      return tampering(event.tampering);
    case 'tampering-accepted':
      return `${event.path} accepted as it is by ${event.by}: ${shortened(event.why, 200)}`;
    case 'tampering-righted':
      return `${event.path} is again as it was (${event.by})`;
    case 'plan-wanted':
    case 'plan-refused':
    case 'plan-given-up':
    case 'plan-proposed':
    case 'plan-approved':
    case 'plan-adopted':
    case 'plan-rejected':
    case 'plan-delayed':
    case 'milestones-crossed':
    case 'drift-judged':
      return describePlanEvent(event);
    case 'acceptance-passed':
      return `accepted on a clean checkout of ${event.commit.slice(0, 10)}`;
    case 'control-received':
      return `${event.control.kind} asked for by ${event.by}`;
    case 'control-applied':
      return `${controlName(event.id, names)} applied`;
    case 'control-refused':
      return `${controlName(event.id, names)} refused: ${event.reason}`;
    case 'clock-reached':
      return 'timer fired';
    default:
      return describeTaskEvent(event, names);
  }
}

function limitText({
  until,
  reason,
  takenOverBy,
}: Extract<Event, { readonly type: 'usage-limited' }>): string {
  const then =
    takenOverBy === undefined
      ? `waiting until ${utc(until)}`
      : `${[takenOverBy.name, takenOverBy.model].filter((part) => part !== null).join(':')} builds until ${utc(until)}`;
  return `usage limit reached; ${then}: ${shortened(reason, 200)}`;
}

function describeTaskEvent(event: Extract<Event, { readonly taskId: string }>, names: StepNames): string {
  switch (event.type) {
    case 'action-taken':
    case 'action-unreadable':
    case 'action-chosen':
      return describeActionEvent(event);
    case 'attempt-failed':
      return `attempt ${event.attempt} failed: ${shortened(event.reason, 300)}${event.trace?.hand === 'next-agent' ? '; the next agent goes on' : ''}`;
    case 'reviewer-failed':
      return `the reviewer gave no valid verdict: ${shortened(event.reason, 200)}`;
    case 'review-received':
      return `${names(event.stepId)} says ${describeVerdict(event.verdict)}`;
    case 'blocker-tried':
      return `blocker ${event.index + 1} of ${names(event.stepId)}: ${event.trial.outcome} (${event.trial.reason})`;
    case 'review-doubted':
      return `asked again: ${shortened(event.reason, 400)}`;
    case 'report-received':
      return `report: ${shortened(event.text, 300)}`;
    case 'task-landed':
      return `task ${event.taskId} stands as it is, at ${event.commit.slice(0, 10)}`;
    case 'task-proven':
      return `task ${event.taskId} meets its criteria, on tree ${event.tree.slice(0, 10)}`;
    case 'task-reopened':
      return `task ${event.taskId} taken up again: ${event.reason}`;
    case 'task-failed':
      return `task ${event.taskId} given up (${event.outcome}): ${event.reason}`;
    case 'usage-limited':
      return limitText(event);
    case 'task-skipped':
      return `task ${event.taskId} skipped by ${event.by}: ${event.reason}`;
    case 'task-retried':
      return `task ${event.taskId} taken up again by ${event.by}`;
    case 'criterion-attempted':
    case 'criterion-passed':
    case 'criterion-failed':
    case 'criterion-reopened':
    case 'iteration-started':
    case 'person-awaited':
    case 'run-parked':
    case 'criteria-changed':
    case 'criterion-proposed':
    case 'proposal-settled':
      return describeCriteriaEvent(event);
    case 'look-asked':
      return 'a look at the work was asked for; it proves nothing';
    case 'progress-reported':
      return `${event.by} says: ${shortened(event.text, 200)}`;
    case 'question-asked':
      return `question: ${event.question}`;
    case 'question-answered':
      return `answer: ${shortened(event.text, 200)}`;
  }
}

function started(step: Step): string {
  if (step.deed.kind !== 'session') return `${deedOf(step)} …`;
  const { attempt, agent } = step.deed;
  return `${sessionName(step.deed)} starts (${attempt === 0 ? '' : `attempt ${attempt}, `}${agent.name}${agent.model === null ? '' : `, ${agent.model}`})`;
}

function saidBy(signal: Signal | null): string {
  if (signal === null || signal.kind === 'continue') return 'gave no completion signal';
  if (signal.kind === 'action') return `reported ${signal.report.action}: ${signal.report.status}`;
  if (signal.kind === 'action-unreadable') return 'gave no readable ACTION_RESULT';
  return signal.kind === 'report' && signal.isUntagged === true ? 'printed no marker' : `said ${signal.kind}`;
}

function ended(name: string, result: StepResult): string {
  switch (result.kind) {
    case 'prepare':
      return `workspace ready on ${result.branch}, from ${result.baseCommit.slice(0, 10)}`;
    case 'session': {
      const { driver, model } = result.ran;
      return `${name} (${driver}${model === null ? '' : `, model ${model}`}) ${describeSessionEnding(result.ending)}; it ${saidBy(result.signal)}`;
    }
    case 'check':
      return result.brokenPins.length === 0
        ? 'checks done'
        : `checks done; pinned files were touched: ${result.brokenPins.map((pin) => pin.path).join(', ')}`;
    case 'commit':
      return `committed ${result.commit.slice(0, 10)}`;
    case 'reproduce':
      return 'blockers tried';
    case 'survey':
      return 'repository surveyed';
    case 'settle-plan':
      return result.problems.length === 0
        ? `the plan can be used: ${count(result.tasks.length, 'task')}`
        : 'the plan cannot be used as it is';
    case 'refused':
      return result.reason.includes('\n')
        ? `${name} could not be done: ${firstLine(result.reason)}`
        : `${name} could not be done: ${withoutFullStop(result.reason)}. ${result.hint}`;
  }
}

/** Output of a program that follows it is shown once, where the run is parked. */
function firstLine(reason: string): string {
  return (reason.split('\n')[0] ?? '').replace(/:$/, '');
}

function tampering({ path, change, session, weakening, isAllowed }: Tampering): string {
  const who = session === null ? '' : ` by ${session}`;
  const how = weakening.length === 0 ? '' : ` (it ${weakening.join(', ')})`;
  return `pinned ${path} ${change}${who}${how}; ${isAllowed ? 'allowed beforehand' : 'nobody has accepted that'}`;
}

function evidence(seen: (Event & { type: 'evidence-recorded' })['evidence']): string {
  // Of a run with one goal, everybody knows which task it is.
  const isOnly = seen.taskId === 'main';
  // Its verdict was recorded before, without the calibration.
  if (seen.calibration !== undefined && seen.verdict === 'pass' && seen.reusedFrom === undefined)
    return `${isOnly ? '' : `${seen.taskId}: `}${calibrationLine(seen)}`;
  const where =
    seen.purpose === 'pinned'
      ? ' with the pinned files as they were'
      : seen.purpose === 'base'
        ? ' on the base'
        : seen.purpose === 'acceptance'
          ? ' on a clean checkout'
          : seen.purpose === 'look'
            ? ' while a session lives, which proves nothing'
            : '';
  const ending = seen.ending === null ? '' : describeProcessEnding(seen.ending);
  const how = ending === '' || seen.reason.includes(ending) ? '' : `, ${ending}`;
  const again = seen.reusedFrom === undefined ? '' : '; not run again: nothing has changed since';
  return `${isOnly ? '' : `${seen.taskId}/`}${seen.criterionId}: ${seen.verdict}${where}${how} (${shortened(withoutFullStop(seen.reason), 160)}${again})`;
}
