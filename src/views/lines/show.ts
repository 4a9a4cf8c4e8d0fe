// `show`: the history of a run, one line per fact.
import { suspensionSentences } from '#views/waiting/suspension-events.ts';
import { describeProcessEnding, describeSessionEnding } from '#kernel/model/ending.ts';
import { unprovenPrefix } from '#kernel/events/control.ts';
import type { Event, FactType } from '#kernel/events/events.ts';
import type { Purpose } from '#kernel/model/criterion.ts';
import { failureWords } from '#kernel/model/shown-output.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import { refusalOf } from '#kernel/proof/proof.ts';
import { sessionName } from '#kernel/model/session-name.ts';
import type { Signal } from '#kernel/model/signal.ts';
import type { Step, StepResult } from '#kernel/model/step.ts';
import { describeVerdict } from '#views/report/reviews.ts';
import { calibrationLine } from '#views/report/calibration.ts';
import { actionSentences } from '#views/actions/action-events.ts';
import { cleanedText, landedText } from './after-end.ts';
import { criteriaSentences } from './criteria-events.ts';
import type { EventSentences } from './event-sentences.ts';
import { planSentences } from '#views/plan/plan-events.ts';
import { operationText } from '#views/status/stage.ts';
import type { StepNames } from './step-names.ts';
import { namesOfEvents, plainName } from './step-names.ts';
import { count, shortened, utc } from '#views/words.ts';
import type { Tampering } from '#kernel/events/tampering-facts.ts';

/** Each event has its number, for `fork --from`. */
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

/** The output of a failed check; the line mode of a run shows more of it below the line. */
function ownWords(event: Event): string {
  if (event.type !== 'evidence-recorded' || event.evidence.verdict !== 'fail') return '';
  const words = refusalOf(event.evidence) === undefined ? failureWords(event.evidence) : '';
  return words === '' ? '' : `: ${words}`;
}

function lost(what: string, why: string): string {
  return `${what} ${what.startsWith('the checks') ? 'were' : 'was'} lost: ${why}`;
}

/** An unproven control keeps its id: its claimed kind may be untrue. */
function controlName(id: string, names: StepNames): string {
  const name = names(id);
  return name === plainName(id) || id.startsWith(unprovenPrefix) ? `control ${id}` : `${name} was`;
}

/** One sentence about one fact; the line mode of a run prints the same. */
export function describeEvent(event: Event, names: StepNames = plainName): string {
  // Each entry of the table takes events of its own type.
  const sentence = sentences[event.type] as (event: Event, names: StepNames) => string;
  return sentence(event, names);
}

const sentences: EventSentences<FactType> = {
  ...actionSentences,
  ...criteriaSentences,
  ...planSentences,
  ...suspensionSentences,
  'run-created': ({ runId, config }) => `run ${runId} created: ${shortened(config.goal, 100)}`,
  'run-landed': landedText,
  'run-ended': ({ outcome, reason }) => `${outcome}: ${reason}`,
  'run-reopened': ({ by }) => `run reopened by ${by}`,
  'run-forked': ({ by, from, event }) => `forked by ${by} from run ${from}, event ${event}`,
  'run-approved': ({ by, tree }) => `${by} approved the work as a whole, on tree ${tree.slice(0, 10)}`,
  'run-cleaned': cleanedText,
  'driver-started': ({ epoch, driver }) => `driver ${epoch} started (${driver})`,
  // The whole reason is shown where the run is parked.
  'driver-left': ({ reason }) => `driver left: ${shortened(firstLine(reason), 100)}`,
  'task-added': ({ task }) => `task ${task.id}: ${shortened(task.title, 100)}`,
  'step-started': ({ step }) => started(step),
  'step-ended': ({ stepId, result }, names) => ended(names(stepId), result),
  'step-lost': ({ stepId, reason }, names) => lost(names(stepId), reason),
  'evidence-recorded': ({ evidence: found }) => evidence(found),
  'workspace-restored': ({ reason, keptAs }) =>
    `files restored (${reason}); the previous content is kept as ${keptAs}`,
  'ref-restored': refText,
  'tampering-seen': ({ tampering: found }) => tampering(found),
  'tampering-accepted': ({ path, by, why }) => `${path} accepted as it is by ${by}: ${shortened(why, 200)}`,
  'tampering-righted': ({ path, by }) => `${path} restored (${by})`,
  'acceptance-passed': ({ commit }) => `accepted on a clean checkout of ${commit.slice(0, 10)}`,
  'control-received': ({ control, by }) => `${control.kind} requested by ${by}`,
  'control-applied': ({ id }, names) => `${controlName(id, names)} applied`,
  'control-refused': ({ id, reason }, names) => `${controlName(id, names)} refused: ${reason}`,
  'clock-reached': () => 'timer fired',
  'attempt-failed': ({ attempt, reason, trace }) =>
    `attempt ${attempt} failed: ${shortened(reason, 300)}${trace?.hand === 'next-agent' ? '; the next agent takes over' : ''}`,
  'reviewer-failed': ({ reason }) => `the reviewer gave no valid verdict: ${shortened(reason, 200)}`,
  'review-received': ({ stepId, verdict }, names) => `${names(stepId)} says ${describeVerdict(verdict)}`,
  'blocker-tried': ({ stepId, index, trial }, names) =>
    `blocker ${index + 1} of ${names(stepId)}: ${trial.outcome} (${trial.reason})`,
  'review-doubted': ({ reason }) => `asked again: ${shortened(reason, 400)}`,
  'report-received': ({ text }) => `report: ${shortened(text, 300)}`,
  'task-landed': ({ taskId, commit }) => `task ${taskId} needs no change, at ${commit.slice(0, 10)}`,
  'task-proven': ({ taskId, tree }) => `task ${taskId} meets its criteria, on tree ${tree.slice(0, 10)}`,
  'task-reopened': ({ taskId, reason }) => `task ${taskId} reopened: ${reason}`,
  'task-failed': ({ taskId, outcome, reason }) =>
    `task ${taskId} failed${outcome === 'failed' ? '' : ` (${outcome})`}: ${reason}`,
  'usage-limited': limitText,
  'task-skipped': ({ taskId, by, reason }) => `task ${taskId} skipped by ${by}: ${reason}`,
  'task-retried': ({ taskId, by }) => `task ${taskId} reopened by ${by}`,
  'person-awaited': ({ why }) => `a person is asked: ${why}`,
  'look-asked': () => 'preview of the checks requested',
  'progress-reported': ({ by, text }) => `${by} says: ${shortened(text, 200)}`,
  'question-asked': ({ question }) => `question: ${question}`,
  'question-answered': ({ text }) => `answer: ${shortened(text, 200)}`,
};

function refText({ ref, action, keptAs }: Extract<Event, { readonly type: 'ref-restored' }>): string {
  if (action === 'left')
    return `${ref} was ${/^(refs\/|HEAD$)/.test(ref) ? 'moved' : 'changed'} during the run; left unchanged`;
  if (action === 'ignored') return `${ref} changed during the run; ignored`;
  return `${ref} ${action}${keptAs === '' ? '' : `; the previous content is kept as ${keptAs}`}`;
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

function started(step: Step): string {
  if (step.deed.kind !== 'session') return `${operationText(step)} …`;
  const { attempt, agent } = step.deed;
  return `${sessionName(step.deed)} starts (${attempt === 0 ? '' : `attempt ${attempt}, `}${agent.name}${agent.model === null ? '' : `, ${agent.model}`})`;
}

function signalWords(signal: Signal | null): string {
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
      return `${name} (${driver}${model === null ? '' : `, model ${model}`}) ${describeSessionEnding(result.ending)}; it ${signalWords(result.signal)}`;
    }
    case 'check':
      return result.brokenPins.length === 0
        ? 'checks done'
        : `checks done; pinned files were changed: ${result.brokenPins.map((pin) => pin.path).join(', ')}`;
    case 'commit':
      return `committed ${result.commit.slice(0, 10)}`;
    case 'reproduce':
      return 'blockers reproduced where possible';
    case 'survey':
      return 'repository mapped';
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

/** The program output after it is shown once, where the run is parked. */
function firstLine(reason: string): string {
  return (reason.split('\n')[0] ?? '').replace(/:$/, '');
}

function tampering({ path, change, session, weakening, isAllowed }: Tampering): string {
  const who = session === null ? '' : ` by ${session}`;
  const how = weakening.length === 0 ? '' : ` (it ${weakening.join(', ')})`;
  return `pinned ${path} ${change}${who}${how}; ${isAllowed ? 'allowed in advance' : 'not accepted'}`;
}

function evidence(found: (Event & { type: 'evidence-recorded' })['evidence']): string {
  // In a run with one goal, the task is obvious.
  const isOnly = found.taskId === 'main';
  // Its verdict was recorded before, without the calibration.
  if (found.calibration !== undefined && found.verdict === 'pass' && found.reusedFrom === undefined)
    return `${isOnly ? '' : `${found.taskId}: `}${calibrationLine(found)}`;
  const ending = found.ending === null ? '' : describeProcessEnding(found.ending);
  const how = ending === '' || found.reason.includes(ending) ? '' : `, ${ending}`;
  const again = found.reusedFrom === undefined ? '' : '; not run again: nothing has changed';
  return `${isOnly ? '' : `${found.taskId}/`}${found.criterionId}: ${found.verdict}${places[found.purpose]}${how} (${shortened(withoutFullStop(found.reason), 160)}${again})`;
}

const places: { readonly [purpose in Purpose]: string } = {
  attempt: '',
  pinned: ' with the pinned files as they were',
  base: ' on the base',
  acceptance: ' on a clean checkout',
  look: ' in a preview',
};
