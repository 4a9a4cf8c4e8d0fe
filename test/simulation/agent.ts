// A careless agent: it lies, does nothing, breaks working code, crashes, and sometimes does the work.
import type { SessionEnding } from '#kernel/model/ending.ts';
import type { Signal } from '#kernel/model/signal.ts';
import type { SessionOperation, Step } from '#kernel/model/step.ts';
import { conversationId, sayAction } from './actions.ts';
import { pinnedPath } from './tasks.ts';
import type { Random } from './random.ts';
import { levelOf, readTree, withLevel, withTree } from './tree.ts';
import type { Blocker, ReviewVerdict } from '#kernel/model/review.ts';

export interface Behaviour {
  readonly durationMs: number;
  readonly ending: SessionEnding;
  readonly signal: Signal | null;
  readonly endTree: string | null;
  readonly costUsd: number;
  /** The conversation that a later session can continue. */
  readonly resumeId?: string;
}

export function behave(
  random: Random,
  step: Step & { readonly deed: SessionOperation },
  tree: string,
): Behaviour {
  const ending = endingOf(random);
  const costUsd = random.next() * step.reserve.usd;
  const durationMs = 20 + random.int(3000);
  if (step.deed.readOnly) return { durationMs, costUsd, ending, ...review(random, step.taskId ?? '', tree) };
  if (step.deed.turn !== undefined) return takeTurn(random, step, tree, { durationMs, costUsd, ending });
  const isGone = step.deed.resume !== null && random.chance(0.1);
  if (isGone) return { durationMs, costUsd, ending: gone, endTree: tree, signal: null };
  return {
    durationMs,
    costUsd,
    ending,
    resumeId: step.deed.resume ?? `talk-${step.stepId}`,
    endTree: random.chance(0.01) ? null : build(random, step.taskId ?? '', tree),
    signal: random.weighted<Signal | null>([
      [6, { kind: 'done' }],
      [2, null],
      [1, { kind: 'continue' }],
      [0.5, { kind: 'needs-input', question: 'what?' }],
      [0.5, { kind: 'failed', reason: 'too hard' }],
    ]),
  };
}

const gone: SessionEnding = {
  kind: 'failed',
  errorClass: 'conversation-gone',
  detail: 'no such conversation',
};

/** A turn of an action loop: the same careless work, with a report that may be anything. */
function takeTurn(
  random: Random,
  step: Step & { readonly deed: SessionOperation },
  tree: string,
  { durationMs, costUsd, ending }: Pick<Behaviour, 'durationMs' | 'costUsd' | 'ending'>,
): Behaviour {
  const { resume, turn } = step.deed;
  const isGone = resume !== null && random.chance(0.05);
  const isIdle = isGone || turn?.action === 'INIT';
  return {
    durationMs,
    costUsd,
    ending: isGone ? gone : ofConversation(ending, step),
    endTree: random.chance(0.01) ? null : isIdle ? tree : build(random, step.taskId ?? '', tree),
    signal: isGone ? null : sayAction(random, step.deed),
    ...(isGone ? {} : conversationId(random, step)),
  };
}

/** No client gives the id of a conversation that it forgot to another one. */
function ofConversation(
  ending: SessionEnding,
  { stepId, deed }: Step & { readonly deed: SessionOperation },
): SessionEnding {
  if (ending.kind !== 'interrupted') return ending;
  return { ...ending, resumeId: deed.resume ?? `${ending.resumeId}-${stepId}` };
}

function build(random: Random, taskId: string, before: string): string {
  let tree = before;
  const state = readTree(tree);
  if (state.broken && random.chance(0.5)) tree = withTree(tree, { broken: false });
  if (state.pinEdited && random.chance(0.6)) tree = withTree(tree, { pinEdited: false });
  if (state.junk) tree = withTree(tree, { junk: false });
  const operation = random.weighted([
    [11, 'work'],
    [1.5, 'nothing'],
    [1, 'regress'],
    [0.6, 'break'],
    [0.6, 'cheat'],
    [1, 'fiddle'],
  ] as const);
  switch (operation) {
    case 'work':
      return withTree(withLevel(tree, taskId, levelOf(tree, taskId) + random.pick([1, 2, 3, 3])), {
        salt: random.int(50),
      });
    case 'nothing':
      return before;
    case 'regress':
      return regress(random, tree);
    case 'break':
      return withTree(tree, { broken: true });
    case 'cheat':
      return withTree(withLevel(tree, taskId, 3), { pinEdited: true });
    case 'fiddle':
      return withTree(tree, { salt: random.int(50) });
  }
}

function regress(random: Random, tree: string): string {
  const ids = Object.keys(readTree(tree).levels);
  return ids.length === 0 ? tree : withLevel(tree, random.pick(ids), 0);
}

function review(random: Random, taskId: string, tree: string): { signal: Signal | null; endTree: string } {
  const looksGood = levelOf(tree, taskId) >= 3 && !readTree(tree).broken;
  const isRight = random.chance(0.85);
  const signal = random.chance(0.1) ? null : wordOf(random, taskId, looksGood === isRight);
  return { signal, endTree: random.chance(0.05) ? withTree(tree, { salt: 77 }) : tree };
}

/** By a marker or a report, without either, or as data, with blockers that may be imagined. */
function wordOf(random: Random, taskId: string, isPass: boolean): Signal {
  if (random.chance(0.05)) return { kind: 'report', text: `${taskId} looks fine`, isUntagged: true };
  if (random.chance(0.5))
    return isPass ? { kind: 'done' } : { kind: 'report', text: `${taskId} does not do it (${pinnedPath})` };
  if (random.chance(0.1)) return { kind: 'failed', reason: 'two verdicts at once' };
  const blocker: Blocker = {
    what: `${taskId} does not do it`,
    severity: random.pick(['critical', 'major', 'minor']),
    isSecurity: random.chance(0.2),
    command: random.chance(0.7) ? `check blocker ${taskId}` : null,
  };
  const verdict: ReviewVerdict = {
    verdict: isPass ? random.pick(['pass', 'pass', 'warn']) : 'fail',
    confidence: random.pick([null, null, 0.9, 0.3]),
    blockers: isPass ? [] : Array.from({ length: random.int(3) }, () => blocker),
    text: '',
  };
  return { kind: 'verdict', verdict };
}

export function endingOf(random: Random): SessionEnding {
  return random.weighted<SessionEnding>([
    [80, { kind: 'finished' }],
    [7, { kind: 'crashed', detail: 'boom' }],
    [4, { kind: 'timed-out', limit: 'wall' }],
    [2, { kind: 'over-limit', limit: 'usd' }],
    [3, { kind: 'failed', errorClass: 'overloaded', detail: 'busy' }],
    [0.7, { kind: 'failed', errorClass: 'authentication', detail: 'who are you?' }],
    [0.5, { kind: 'not-started', reason: 'no such client' }],
    [0.5, { kind: 'interrupted', resumeId: 'by-itself' }],
    [0.5, { kind: 'cancelled', reason: 'by itself' }],
  ]);
}
