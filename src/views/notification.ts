// Turns new facts into notifications. Only this file decides which facts are worth one.
import { clipped } from '#base/bounded-text.ts';
import type { Event, FactType } from '#kernel/events/events.ts';
import { parkedBySettings } from '#kernel/fold/loop.ts';
import type { Notification, NotificationKind } from '#kernel/model/notification.ts';
import type { Outcome } from '#kernel/model/outcome.ts';
import type { Run } from '#kernel/fold/run.ts';
import { securityStop } from '#kernel/decide/security-stop.ts';
import { commandsOf, attentionItems } from '#views/questions/attention-items.ts';
import type { AttentionItem } from '#views/questions/attention-items.ts';
import { reasonWithWords } from '#views/lines/own-words.ts';
import { driftTitle } from '#views/plan/plan-events.ts';
import { isAcceptedOnReview, isReviewedOnly, waysToProof } from '#views/report/proof.ts';
import { type SuspensionEvent, suspensionWords } from '#kernel/waiting/suspension.ts';
import { lateWords } from '#views/waiting/suspension-events.ts';
import { isSuspended, waysToEnd } from '#views/waiting/suspended.ts';
import { elapsed, shortened, spentLine, tokens, usd, utcMinute } from './words.ts';

export interface NotificationSettings {
  readonly repository: string;
  /** Percentage of a limit at which the budget counts as nearly spent. */
  readonly warnPercent: number;
}

/** One notification of a fact. `key` is unique among all notifications of the run. */
interface Notice {
  readonly key: string;
  readonly kind: NotificationKind;
  readonly title: string;
  readonly text: string;
  readonly task?: string;
  readonly commands?: readonly string[];
}

/** `events` are the newest facts of the run, already folded. */
export function notificationsOf(
  run: Run,
  events: readonly Event[],
  settings: NotificationSettings,
): Notification[] {
  const first = run.events - events.length + 1;
  const notices = events.flatMap((event, index) => noticesFor(run, event, first + index));
  if (events.some(({ type }) => spending.has(type))) notices.push(...nearlySpent(run, settings.warnPercent));
  return notices.map(({ key, task = null, commands = [], ...rest }) => ({
    id: `${run.id}/${key}`,
    ...rest,
    text: clipped(rest.text, textMax),
    at: new Date(run.now).toISOString(),
    run: run.id,
    repository: settings.repository,
    goal: shortened(run.config.goal, 200),
    preset: run.config.preset,
    outcome: run.outcome?.outcome ?? null,
    task,
    commands,
  }));
}

function noticesFor(run: Run, event: Event, number: number): Notice[] {
  switch (event.type) {
    case 'run-ended':
      return ended(run, event.outcome, event.reason);
    case 'question-asked': {
      const { taskId, questionId, question } = event;
      return [asked(run, { kind: 'question', taskId, questionId, question })];
    }
    case 'driver-left':
      return left(run, event.reason, number);
    case 'usage-limited':
      return event.takenOverBy === undefined ? [limited(event)] : [];
    case 'plan-delayed':
      return [limited(event)];
    case 'suspended':
    case 'suspension-expired':
    case 'reminded':
    case 'condition-met':
      return ofSuspension(run, event);
    case 'drift-judged':
      return event.isAligned === false && event.isFinal ? [drifted(event)] : [];
    default:
      return [];
  }
}

function limited({ until, reason }: { readonly until: number; readonly reason: string }): Notice {
  return {
    key: `limited/${until}`,
    kind: 'parked',
    title: 'Waiting for a usage limit',
    text: `${reason}\nThe run continues by itself after ${utcMinute(until)}.`,
  };
}

function drifted(event: Event & { type: 'drift-judged' }): Notice {
  return {
    key: `drifted/${event.stepId}`,
    kind: 'drifted',
    title: driftTitle(event),
    text: event.reason,
  };
}

const endings: { readonly [outcome in Outcome]: string | null } = {
  completed: 'Run completed',
  unverified: 'Run ended without proof',
  failed: 'Run failed',
  exhausted: 'Run ended: its budget is used up',
  blocked: 'Run blocked',
  stopped: null,
};

function endingOf(run: Run, outcome: Outcome): string | null {
  if (isReviewedOnly(run)) return 'Run ended: reviewed, not proven';
  return isAcceptedOnReview(run) ? 'Run completed, accepted on review' : endings[outcome];
}

function ended(run: Run, outcome: Outcome, reason: string): Notice[] {
  // A person who stopped a run knows that it is over.
  const isDanger = outcome !== 'completed' && run.stopping === null && securityStop(run) !== null;
  const title = isDanger ? 'Security stop' : endingOf(run, outcome);
  const kind = isDanger ? 'security-stop' : outcome;
  if (title === null || kind === 'stopped') return [];
  const isCampaign = run.config.preset === 'campaign' && outcome === 'completed';
  return [
    {
      // A reopened run may end the same way again.
      key: `ended/${outcome}${run.reopenings.length === 0 ? '' : `/${run.reopenings.length}`}`,
      kind,
      title: isCampaign && !isAcceptedOnReview(run) ? 'Campaign complete!' : title,
      text: `${shortened(run.config.goal, 200)}\n${reasonWithWords(run, reason)}\n${spentLine(run)}`,
      commands: [`untildone show ${run.id}`, ...waysOn(run)],
    },
  ];
}

/** Commands that can be typed unchanged. */
function waysOn(run: Run): string[] {
  return isReviewedOnly(run)
    ? waysToProof(run).flatMap(([command]) => (command.includes(run.id) ? [command] : []))
    : [];
}

/** The person who paused the run or made the driver leave is present and knows. */
function left(run: Run, reason: string, number: number): Notice[] {
  const isPausedByPerson = run.paused !== null && run.paused.by !== parkedBySettings;
  if (isPausedByPerson || run.outcome !== null || reason === 'told to leave') return [];
  const items = attentionItems(run);
  // A person who suspended a run until a time knows that it waits.
  if (items.length === 0 && isSuspended(run)) return [];
  if (items.length > 0) return items.map((item) => asked(run, item));
  return [
    {
      key: `parked/${number}`,
      kind: 'parked',
      title: 'Run parked',
      text: `It waits for: ${reason}`,
      commands: [`untildone resume ${run.id}`],
    },
  ];
}

/** A person who suspends a run knows it; notifications cover later changes and requests of agents. */
function ofSuspension(
  run: Run,
  event: Extract<
    SuspensionEvent,
    { type: 'suspended' | 'suspension-expired' | 'reminded' | 'condition-met' }
  >,
): Notice[] {
  const { suspensionId } = event;
  if (event.type === 'condition-met') {
    const late = lateWords(event);
    if (late === '') return [];
    const commands = [`untildone status ${run.id}`];
    return [
      {
        key: `late/${suspensionId}`,
        kind: 'parked',
        title: 'A suspended run was woken late',
        text: event.what + late,
        commands,
      },
    ];
  }
  const suspension = run.suspensions.get(suspensionId);
  if (suspension === undefined) return [];
  if (event.type === 'reminded')
    return [
      {
        key: `reminded/${suspensionId}`,
        kind: 'parked',
        title: 'Reminder: a run is suspended',
        text: `${suspensionWords(suspension)}\nSuspended since ${utcMinute(suspension.since)}.`,
        commands: waysToEnd(run, suspension, true),
      },
    ];
  if (event.type === 'suspended' && event.isByAgent !== true) return [];
  return attentionItems(run)
    .filter((item) => item.kind === 'suspension' && item.suspensionId === suspensionId)
    .map((item) => asked(run, item));
}

/** Keyed by what the question is about, so that a run that returns to it does not ask twice. */
function asked(run: Run, item: AttentionItem): Notice {
  const { question, ...known } = item;
  // One notification for the suspension, and another one when its poll expires.
  const isExpired = item.kind === 'suspension' && run.suspensions.get(item.suspensionId)?.expired !== null;
  return {
    key: [...Object.entries(known).map(wordOf).toSorted(), ...(isExpired ? ['given-up'] : [])].join('/'),
    kind: 'needs-input',
    title: titles[item.kind] ?? 'The run needs your answer',
    text: question,
    task: item.taskId,
    commands: commandsFor(run, item),
  };
}

/** As typed, without a comment. */
function commandsFor(run: Run, item: AttentionItem): string[] {
  const suspension = item.kind === 'suspension' ? run.suspensions.get(item.suspensionId) : undefined;
  return suspension === undefined ? commandsOf(run, item) : waysToEnd(run, suspension, true);
}

const titles: { readonly [kind in AttentionItem['kind']]?: string } = {
  plan: 'A plan waits for your approval',
  'dead-end': 'The run needs you to continue',
  suspension: 'A suspended run waits for you',
};

function wordOf([name, value]: readonly [string, string | number]): string {
  return `${name}=${value}`;
}

const spending: ReadonlySet<FactType> = new Set(['step-ended', 'step-lost', 'clock-reached']);

/** Once per budget: after a raise, there is a new warning when that one runs low. */
function nearlySpent(run: Run, warnPercent: number): Notice[] {
  if (run.outcome !== null) return [];
  const { budget, ledger, activeMs } = run;
  const { spent } = ledger;
  const limits = [
    { share: spent.sessions / budget.sessions, text: `${spent.sessions} of ${budget.sessions} sessions` },
    { share: spent.usd / budget.usd, text: `${usd(spent.usd)} of ${usd(budget.usd)}` },
    {
      share: spent.tokens / budget.tokens,
      text: `${tokens(spent.tokens)} of ${tokens(budget.tokens)} tokens`,
    },
    {
      share: activeMs / budget.activeMs,
      text: `${elapsed(activeMs)} of ${elapsed(budget.activeMs)} of work`,
    },
  ];
  const near = limits.filter(({ share }) => share * 100 >= warnPercent).map(({ text }) => text);
  if (near.length === 0) return [];
  const key = [budget.sessions, budget.usd, budget.tokens, budget.activeMs].join('-');
  return [
    {
      key: `budget/${key}`,
      kind: 'budget-nearly-spent',
      title: 'Budget nearly spent',
      text: `Used so far: ${near.join(', ')}.`,
      commands: [`untildone status ${run.id}`],
    },
  ];
}

/** Enough for a question with its reasons; a phone shows less. */
const textMax = 1500;
