// The course of a run in time: sessions, checks and waits with their durations, and the moments between them.
import { describeSessionEnding } from '#kernel/model/ending.ts';
import type { Event, FactType } from '#kernel/events/events.ts';
import { sessionName } from '#kernel/model/session-name.ts';
import type { CheckOperation, Step, StepResult } from '#kernel/model/step.ts';
import { describeEvent } from '#views/lines/show.ts';
import { namesOfEvents, plainName, type StepNames } from '#views/lines/step-names.ts';
import { shortened } from '#views/words.ts';

export type TimelineTone = 'good' | 'bad' | 'open' | 'plain';

export interface TimelineItem {
  readonly at: number;
  /** Null for a moment; for what is still under way, the time of the newest event. */
  readonly endAt: number | null;
  readonly isOpen: boolean;
  readonly kind: 'session' | 'check' | 'step' | 'wait' | 'moment';
  readonly what: string;
  readonly detail: string;
  readonly tone: TimelineTone;
}

export interface Timeline {
  readonly items: readonly TimelineItem[];
  /** Items between the first and the last ones that are not in `items`. */
  readonly hidden: number;
  /** The index in `items` before which they are left out. */
  readonly hiddenAt: number;
}

const limits = { first: 40, last: 260, words: 240 };

type Draft = { -readonly [name in keyof TimelineItem]: TimelineItem[name] };

/** By task and criterion: a calibration records the evidence of a check again. */
type Verdicts = Map<string, { readonly criterionId: string; readonly isPass: boolean }>;

interface Drawing {
  readonly items: Draft[];
  /** By step, question or suspension, and by the names of waits. */
  readonly open: Map<string, Draft>;
  /** By step. */
  readonly verdicts: Map<string, Verdicts>;
  readonly names: StepNames;
  /** Controls that pause or resume, by id. */
  readonly pausing: Map<string, 'pause' | 'resume'>;
  /** Why the last driver left or ended; null while one works, or after it was killed. */
  left: string | null;
  lastAt: number;
}

export function timelineOf(all: readonly Event[]): Timeline {
  const events = sinceFork(all);
  const lastAt = events[0]?.at ?? 0;
  const empty = { items: [], open: new Map(), verdicts: new Map(), pausing: new Map() };
  const drawing: Drawing = { ...empty, names: namesOfEvents(all), left: null, lastAt };
  for (const event of events) {
    draw(drawing, event);
    drawing.lastAt = Math.max(drawing.lastAt, event.at);
  }
  for (const item of drawing.open.values()) Object.assign(item, { endAt: drawing.lastAt, isOpen: true });
  const { items } = drawing;
  const hidden = Math.max(0, items.length - limits.first - limits.last);
  const shown = hidden === 0 ? items : [...items.slice(0, limits.first), ...items.slice(-limits.last)];
  return { items: shown, hidden, hiddenAt: hidden === 0 ? 0 : limits.first };
}

/** The earlier events of a fork are those of another run. */
export function sinceFork(events: readonly Event[]): readonly Event[] {
  return events.slice(
    Math.max(
      0,
      events.findLastIndex(({ type }) => type === 'run-forked'),
    ),
  );
}

/** `0.4s`, `45s`, `12m 05s`, `2h 05m` */
export function precise(ms: number): string {
  if (ms < 9_950) return `${(Math.max(0, ms) / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  const two = (amount: number): string => String(amount).padStart(2, '0');
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h ${two(Math.floor((seconds % 3600) / 60))}m`;
}

/** Moments, with the sentence that `show` prints. */
const marks: { readonly [type in FactType]?: TimelineTone } = {
  'attempt-failed': 'bad',
  'reviewer-failed': 'bad',
  'review-received': 'plain',
  'task-proven': 'good',
  'task-landed': 'good',
  'task-reopened': 'bad',
  'task-failed': 'bad',
  'task-skipped': 'open',
  'task-retried': 'plain',
  'tampering-seen': 'bad',
  'tampering-accepted': 'open',
  'acceptance-passed': 'good',
  'person-awaited': 'open',
  'plan-proposed': 'plain',
  'plan-adopted': 'plain',
  'run-reopened': 'plain',
  'run-forked': 'plain',
  'run-approved': 'good',
  'run-landed': 'good',
  'run-cleaned': 'plain',
};

function draw(drawing: Drawing, event: Event): void {
  const { at } = event;
  const tone = marks[event.type];
  if (tone !== undefined) return mark(drawing, at, describeEvent(event, drawing.names), tone);
  switch (event.type) {
    case 'run-created':
      return mark(drawing, at, 'Run created', 'plain');
    case 'driver-started':
      return startDriver(drawing, event);
    case 'driver-left':
      drawing.left = event.reason;
      return;
    case 'step-started':
      finish(drawing, 'limit', at);
      drawing.open.set(event.step.stepId, add(drawing, at, stepItem(event.step)));
      return;
    case 'step-ended':
      return endStep(drawing, event);
    case 'step-lost':
      return finish(drawing, event.stepId, at, { tone: 'bad', detail: `lost: ${event.reason}` });
    case 'evidence-recorded': {
      const { stepId, taskId, criterionId, verdict, purpose } = event.evidence;
      if (purpose === 'pinned') return;
      const verdicts: Verdicts = drawing.verdicts.get(stepId) ?? new Map();
      verdicts.set(`${taskId}/${criterionId}`, { criterionId, isPass: verdict === 'pass' });
      drawing.verdicts.set(stepId, verdicts);
      return;
    }
    case 'run-ended':
      finish(drawing, 'pause', at);
      drawing.left = 'the run had ended';
      return mark(drawing, at, describeEvent(event), event.outcome === 'completed' ? 'good' : 'bad');
    default:
      return drawWait(drawing, event);
  }
}

function drawWait(drawing: Drawing, event: Event): void {
  const { at } = event;
  const wait = (key: string, what: string, detail: string): void => {
    finish(drawing, key, at);
    drawing.open.set(key, add(drawing, at, { kind: 'wait', what, detail, tone: 'open' }));
  };
  switch (event.type) {
    case 'question-asked':
      return wait(event.questionId, 'Question', event.question);
    case 'question-answered':
      return finish(drawing, event.questionId, at);
    case 'suspended':
      return wait(event.suspensionId, 'Suspended', describeEvent(event));
    case 'condition-met':
    case 'suspension-expired':
    case 'suspension-ended':
      return finish(drawing, event.suspensionId, at);
    case 'usage-limited':
      if (event.takenOverBy === undefined) wait('limit', 'Usage limit', event.reason);
      return;
    case 'run-parked':
      return wait('pause', 'Parked', event.why);
    case 'control-received': {
      const { kind } = event.control;
      if (kind === 'stop') mark(drawing, at, describeEvent(event), 'open');
      if (kind === 'pause' || kind === 'resume') drawing.pausing.set(event.id, kind);
      return;
    }
    case 'control-applied': {
      const kind = drawing.pausing.get(event.id);
      if (kind === 'pause') wait('pause', 'Paused', '');
      if (kind === 'resume') finish(drawing, 'pause', at);
      return;
    }
    default:
      return;
  }
}

/** Shorter gaps are the time that a command needs to start. */
const gapMs = 2_000;

function startDriver(
  drawing: Drawing,
  { at, epoch }: Extract<Event, { readonly type: 'driver-started' }>,
): void {
  const { left, lastAt } = drawing;
  drawing.left = null;
  if (epoch === 1) return mark(drawing, at, 'Driver 1 started', 'plain');
  const isKilled = left === null;
  const detail = isKilled ? 'the driver before was killed, or its machine stopped' : left;
  if (at - lastAt >= gapMs)
    add(drawing, lastAt, { kind: 'wait', what: 'No driver', detail, tone: 'open' }).endAt = at;
  mark(
    drawing,
    at,
    `Driver ${epoch} ${isKilled ? 'took over after a kill' : 'continued'}`,
    isKilled ? 'bad' : 'plain',
  );
}

const checkNames: { readonly [purpose in CheckOperation['purpose']]: string } = {
  base: 'Checks on the base',
  attempt: 'Checks',
  acceptance: 'Acceptance',
  look: 'Preview of the checks',
};

type Drawn = Pick<TimelineItem, 'kind' | 'what' | 'detail' | 'tone'>;

function stepItem({ stepId, deed }: Step): Drawn {
  if (deed.kind === 'check')
    return { kind: 'check', what: checkNames[deed.purpose], detail: '', tone: 'plain' };
  if (deed.kind !== 'session')
    return { kind: 'step', what: capital(plainName(stepId).replace(/^the /, '')), detail: '', tone: 'plain' };
  const { attempt, agent } = deed;
  const who = agent.model === null ? agent.name : `${agent.name}, ${agent.model}`;
  const detail = attempt === 0 ? who : `attempt ${attempt}, ${who}`;
  return { kind: 'session', what: sessionName(deed), detail, tone: 'plain' };
}

function endStep(
  drawing: Drawing,
  { at, stepId, result }: Extract<Event, { readonly type: 'step-ended' }>,
): void {
  const item = drawing.open.get(stepId);
  if (item !== undefined) finish(drawing, stepId, at, endOf(item, result, drawing.verdicts.get(stepId)));
}

function endOf({ detail, what }: Draft, result: StepResult, verdicts: Verdicts = new Map()): Partial<Draft> {
  if (result.kind === 'refused') return { tone: 'bad', detail: result.reason };
  if (result.kind === 'commit') return { detail: result.commit.slice(0, 10) };
  if (result.kind === 'session') {
    const isFinished = result.ending.kind === 'finished';
    return isFinished ? {} : { tone: 'bad', detail: `${detail}; ${describeSessionEnding(result.ending)}` };
  }
  if (result.kind !== 'check') return {};
  const all = [...verdicts.values()];
  if (all.length === 0) return {};
  const failed = all.filter(({ isPass }) => !isPass).map(({ criterionId }) => criterionId);
  const which =
    failed.length === 0 ? '' : `; failed: ${failed.slice(0, 8).join(', ')}${failed.length > 8 ? ', …' : ''}`;
  // Red on the base is what a run starts from.
  const red = what === checkNames.base ? 'plain' : 'bad';
  return {
    tone: failed.length === 0 ? 'good' : red,
    detail: `${all.length - failed.length} of ${all.length} pass${which}`,
  };
}

function add({ items }: Drawing, at: number, drawn: Drawn): Draft {
  const item = { ...drawn, detail: shortened(drawn.detail, limits.words), at, endAt: null, isOpen: false };
  items.push(item);
  return item;
}

function mark(drawing: Drawing, at: number, sentence: string, tone: TimelineTone): void {
  add(drawing, at, { kind: 'moment', what: capital(shortened(sentence, limits.words)), detail: '', tone });
}

function finish({ open }: Drawing, key: string, at: number, more: Partial<Draft> = {}): void {
  const item = open.get(key);
  if (item === undefined) return;
  open.delete(key);
  Object.assign(item, { endAt: at, ...more });
  item.detail = shortened(item.detail, limits.words);
}

/** Only common words: ids and names keep their case. */
function capital(text: string): string {
  const isWord =
    /^(?:a|the|run|task|attempt|accepted|asked|pinned|landed|cleaned|forked|stop|completed|failed|exhausted|blocked|stopped|unverified|preparation|checks|commit|survey|reproduction|check|step)\b/.test(
      text,
    );
  return isWord ? `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}` : text;
}
