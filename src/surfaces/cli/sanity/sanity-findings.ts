// The findings of a sanity check in plain words, each with what to do about it. Pure.
import { sanityCriterion } from '#config/resolve/sanity-check.ts';
import type { Event } from '#kernel/events/events.ts';
import { describeSessionEnding, type SessionEnding } from '#kernel/model/ending.ts';
import type { Signal } from '#kernel/model/signal.ts';
import type { SessionOperation, SessionResult, Step } from '#kernel/model/step.ts';
import { utcMinute } from '#views/words.ts';

export interface Finding {
  readonly name: string;
  /** Null if not reached. */
  readonly isGood: boolean | null;
  readonly text: string;
  readonly fix: string | null;
}

interface Ended {
  readonly step: Step;
  readonly deed: SessionOperation;
  readonly result: SessionResult;
}

const reportLengthMax = 300;

const names = [
  'the builder answers',
  'it writes the requested file',
  'it prints the marker',
  'the verifier answers',
  'the verifier changes nothing',
  'the verifier prints the marker',
] as const;

/** In order; items after the first failure were not reached. */
export function sanityFindings(
  events: readonly Event[],
  advice: (ending: SessionEnding) => string | null,
): Finding[] {
  const found: Finding[] = [];
  for (const findings of [builderFindings(events, advice), verifierFindings(events, advice)]) {
    for (const one of findings) {
      found.push(one);
      if (one.isGood === false) return [...found, ...rest(found.length)];
    }
  }
  return [...found, ...rest(found.length)];
}

function rest(from: number): Finding[] {
  return names.slice(from).map((name) => ({ name, isGood: null, text: 'not reached', fix: null }));
}

function* builderFindings(
  events: readonly Event[],
  advice: (ending: SessionEnding) => string | null,
): Iterable<Finding> {
  const session = lastSession(events, 'builder');
  yield* endingFindings(names[0], session, events, advice);
  const ended = events.findLast(
    (event) =>
      event.type === 'evidence-recorded' &&
      event.evidence.purpose === 'attempt' &&
      event.evidence.criterionId === sanityCriterion,
  );
  const evidence = ended?.type === 'evidence-recorded' ? ended.evidence : null;
  yield evidence?.verdict === 'pass'
    ? good(names[1])
    : bad(
        names[1],
        `It ended without the requested file (${evidence?.reason ?? 'nothing was checked'}).`,
        'Read its log. It may lack write permission or a tool for writing.',
      );
  yield markerFinding(names[2], session);
}

function* verifierFindings(
  events: readonly Event[],
  advice: (ending: SessionEnding) => string | null,
): Iterable<Finding> {
  const session = lastSession(events, 'verifier');
  yield* endingFindings(names[3], session, events, advice);
  const isSame = session?.result.endTree === session?.step.baseTree;
  yield isSame
    ? good(names[4])
    : bad(
        names[4],
        'The verifier changed files, although its role is read-only.',
        'A verifier that writes fails in every run. Choose another agent.',
      );
  yield markerFinding(names[5], session);
}

function* endingFindings(
  name: string,
  session: Ended | null,
  events: readonly Event[],
  advice: (ending: SessionEnding) => string | null,
): Iterable<Finding> {
  if (session !== null && session.result.ending.kind === 'finished') return void (yield good(name));
  if (session === null) {
    const refused = events.findLast((event) => event.type === 'step-lost' || event.type === 'run-ended');
    return void (yield bad(name, `It was never started (${refused?.reason ?? 'reason unknown'}).`, null));
  }
  const { ending } = session.result;
  yield bad(name, wordsFor(ending), advice(ending));
}

function markerFinding(name: string, session: Ended | null): Finding {
  const signal = session?.result.signal ?? null;
  if (signal?.kind === 'done') return good(name);
  const text = signal?.kind === 'report' ? signal.text.replaceAll(/\s+/g, ' ').slice(0, reportLengthMax) : '';
  if (signal?.kind === 'report' && signal.isUntagged !== true)
    return bad(name, `Instead of the marker it reported: ${text}`, 'See its log.');
  const actual = actualText(signal, text);
  return bad(
    name,
    `Its last message does not end with the marker; it said ${actual}.`,
    'Small models often ignore such instructions. Try a larger one.',
  );
}

function actualText(signal: Signal | null, text: string): string {
  if (signal === null || signal.kind === 'continue') return 'no known marker';
  return signal.kind === 'report' ? `"${text}"` : signal.kind;
}

export function wordsFor(ending: SessionEnding): string {
  if (ending.kind === 'not-started') return ending.reason;
  if (ending.kind !== 'failed') return `The session ${describeSessionEnding(ending)}.`;
  const { errorClass, detail, resetAt } = ending;
  switch (errorClass) {
    case 'authentication':
      return `It is not logged in, or its key is refused: ${detail}`;
    case 'unknown-model':
      return `It does not know the model: ${detail}`;
    case 'usage-limit':
      return `Its usage limit is reached${resetAt === undefined ? '' : ` until ${utcMinute(resetAt)}`}: ${detail}`;
    case 'network':
      return `It cannot reach its provider: ${detail}`;
    case 'overloaded':
      return `Its provider is overloaded: ${detail}`;
    default:
      return `It failed (${errorClass}): ${detail}`;
  }
}

function lastSession(events: readonly Event[], role: string): Ended | null {
  const started = new Map<string, { step: Step; deed: SessionOperation }>();
  let last: Ended | null = null;
  for (const event of events) {
    if (
      event.type === 'step-started' &&
      event.step.deed.kind === 'session' &&
      event.step.deed.role === role
    ) {
      started.set(event.step.stepId, { step: event.step, deed: event.step.deed });
    }
    const begun = event.type === 'step-ended' ? started.get(event.stepId) : undefined;
    if (begun !== undefined && event.type === 'step-ended' && event.result.kind === 'session') {
      last = { ...begun, result: event.result };
    }
  }
  return last;
}

function good(name: string): Finding {
  return { name, isGood: true, text: 'yes', fix: null };
}

function bad(name: string, text: string, fix: string | null): Finding {
  return { name, isGood: false, text, fix };
}
