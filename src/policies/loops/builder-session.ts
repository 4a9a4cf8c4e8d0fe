// The builder's part of any loop: how its session starts, and what its ending alone decides.
import { present } from '#base/assert.ts';
import { describeSessionEnding, isConversationGone } from '#kernel/model/ending.ts';
import type { Move } from '#kernel/decide/policy.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { sessionName } from '#kernel/model/session-name.ts';
import type { SessionOperation, SessionResult } from '#kernel/model/step.ts';
import { beganWith } from '#kernel/proof/checkpoint.ts';
import { conversationOf } from '#kernel/fold/conversation.ts';
import { answerPrompt } from '#policies/prompts/answer-prompt.ts';
import { builderPrompt } from '#policies/prompts/builder-prompt.ts';
import { mentions } from '#policies/prompts/render.ts';
import { recover } from '#policies/fallbacks/recover.ts';
import { agentFor } from '#policies/fallbacks/agent-for.ts';
import { giveUp, hopelessReason } from './moves.ts';
import { buildOf } from '#kernel/fold/work.ts';

/** `criterionId`: the session's criterion, if the loop takes criteria one by one. */
export function startBuilder(run: Run, task: TaskState, attempt: number, criterionId?: string): Move {
  const role = present(run.config.roles['builder'], 'the preset has a builder');
  const tip = present(run.tip, 'a prepared run has a tip');
  const isOnTip = task.base?.commit === tip.commit || task.commit === tip.commit;
  const agent = agentFor(run, task, 'builder');
  const conversation = conversationOf(task, agent);
  const operation: SessionOperation = {
    kind: 'session',
    role: 'builder',
    attempt,
    ordinal: (run.ordinals.get('builder') ?? 0) + 1,
    agent,
    prompt:
      conversation?.isAnswered === true
        ? answerPrompt(run, task)
        : builderPrompt(run, task, attempt, criterionId),
    readOnly: false,
    words: role.words,
    limits: role.limits,
    resume: conversation?.id ?? null,
    ...(criterionId === undefined ? {} : { criterionId }),
    ...(asksForFiles(role.prompt) ? { shows: shownTo(run, task, attempt) } : {}),
  };
  return {
    kind: 'start',
    deed: operation,
    baseTree: isOnTip && task.workTree !== null ? task.workTree : tip.tree,
  };
}

function asksForFiles(template: string): boolean {
  return mentions(template, 'files') || mentions(template, 'memory');
}

function shownTo(run: Run, task: TaskState, attempt: number): NonNullable<SessionOperation['shows']> {
  const isFirst = attempt <= task.forgiven + 1 && task.failures.last === null;
  return { files: task.spec.files, before: isFirst ? null : (beganWith(run, task) ?? run.tip?.tree ?? null) };
}

/** The tree to check, or a move instead. `again` restarts the session; `unreadable` fails the attempt. */
export function whatBuildLeft(
  task: TaskState,
  build: SessionResult,
): { readonly tree: string; readonly isIdle: boolean } | { readonly move: Move } | 'again' | 'unreadable' {
  const hopeless = hopelessReason(build.ending);
  if (hopeless !== null) return { move: giveUp(task, 'failed', hopeless) };
  if (build.ending.kind === 'interrupted' || build.ending.kind === 'cancelled') return 'again';
  // The client lost the conversation of a paused session: the same attempt starts a new one.
  if (isConversationGone(build.ending)) return 'again';
  const { endTree: tree } = build;
  if (tree === null) return 'unreadable';
  // A transient error before any change leaves nothing to check.
  return { tree, isIdle: task.provider.transientError?.role === 'builder' && tree === task.base?.tree };
}

export const unreadable = 'the files could not be read after the session';

/** Adds that the session was cut short, because the checks cannot know it. */
export function withCutShort(task: TaskState, reason: string): string {
  const { ending } = buildOf(task) ?? {};
  if (ending?.kind !== 'crashed' && ending?.kind !== 'timed-out' && ending?.kind !== 'over-limit')
    return reason;
  const words = describeSessionEnding(ending);
  return reason.includes(words) ? reason : `the builder ${words}; ${reason}`;
}

/** After a transient error of the provider the same attempt continues: the attempt is not to blame. */
export function afterTransientError(run: Run, task: TaskState, criterionId?: string): Move | null {
  if (task.provider.transientError?.role !== 'builder') return null;
  return (
    recover(run, task, task.provider.transientError) ?? startBuilder(run, task, task.attempt, criterionId)
  );
}

/** A builder that asks waits for the answer; its work does not count as done. Null if it asked nothing. */
export function afterQuestion(
  run: Run,
  task: TaskState,
  build: SessionResult,
  criterionId?: string,
): Move | null {
  // Also after a question asked by a tool: the conversation resumes where it ended.
  if (task.dialogue.resume?.isAnswered === true) return startBuilder(run, task, task.attempt, criterionId);
  if (build.signal?.kind !== 'needs-input' || build.ending.kind !== 'finished') return null;
  if (task.dialogue.unsent.length > 0) return startBuilder(run, task, task.attempt, criterionId);
  const questionId = `q-${sessionName({ role: 'builder', ordinal: run.ordinals.get('builder') ?? 0 })}`;
  const { question } = build.signal;
  return {
    kind: 'conclude',
    facts: [{ type: 'question-asked', taskId: task.spec.id, questionId, question }],
  };
}
