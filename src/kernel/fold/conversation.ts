// A builder's conversation that a later session can continue: after an interruption, or with the answer to its question.
import type { Run, TaskState } from './run.ts';
import type { AgentChoice } from '#kernel/model/step.ts';
import { questionOf } from '#kernel/model/task.ts';
import { isSameAgent } from '#kernel/waiting/usage-limit.ts';

export interface Conversation {
  readonly role: string;
  /** The client's own id. */
  readonly id: string;
  /** Whose conversation it is; another agent begins a new one. */
  readonly agent: AgentChoice;
  /** It asked a question and knows its task: it gets the answer and nothing else. */
  readonly isAnswered?: true;
}

/** The conversation that this agent can continue as the builder of the task; null where it begins a new one. */
export function conversationOf({ resume }: TaskState, agent: AgentChoice): Conversation | null {
  return resume?.role === 'builder' && isSameAgent(resume.agent, agent) ? resume : null;
}

/** A person answered the question of a task: it queues behind the one that was taken up meanwhile. */
export function takeAnswer(run: Run, task: TaskState, text: string): void {
  task.answered.push({ question: questionOf(task)?.text ?? '', text });
  task.status = { is: 'active' };
  run.active.delete(task);
  run.active.add(task);
  task.actions.troubles = 0;
  task.actions.idleTurns = 0;
  task.answers.push(text);
  task.resume = asked(run, task) ?? task.resume;
}

/** The conversation of a builder whose session ended with its question open. */
function asked({ sessions }: Run, task: TaskState): Conversation | null {
  const { spec, work } = task;
  const { checked, reviews } = task.inspection;
  // Once its work is checked or reviewed, the question is not the builder's.
  if (work.kind !== 'built' || checked !== null || reviews.size > 0) return null;
  const { build } = work;
  if (build.ending.kind !== 'finished' || build.resumeId === undefined) return null;
  if (build.signal?.kind === 'done') return null;
  const last = sessions.findLast(({ taskId, role }) => taskId === spec.id && role === 'builder');
  return last === undefined
    ? null
    : { role: 'builder', id: build.resumeId, agent: last.agent, isAnswered: true };
}
