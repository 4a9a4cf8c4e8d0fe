// The messages between a builder and people, and the conversation that a later session can continue.
import type { Run, TaskState } from './run.ts';
import type { AgentChoice } from '#kernel/model/step.ts';
import { questionOf } from '#kernel/model/task.ts';
import { isSameAgent } from '#kernel/waiting/usage-limit.ts';

export interface Conversation {
  readonly role: string;
  /** The client's own id. */
  readonly id: string;
  /** The agent of the conversation; another agent begins a new one. */
  readonly agent: AgentChoice;
  /** The agent asked a question and knows its task: it gets only the answer. */
  readonly isAnswered?: true;
}

/** The messages to the builders of a task. */
export interface Dialogue {
  /** A conversation that the next builder session continues instead of beginning a new one. */
  resume: Conversation | null;
  /** Answers that no prompt has carried yet. */
  unsent: string[];
  /** Every answered question, oldest first. A session has no memory, so each prompt has them all. */
  readonly answered: { readonly question: string; readonly text: string }[];
  /** What the last builder's prompt carried; sent again if that session did not receive it. */
  sent: SentWithPrompt;
}

interface SentWithPrompt {
  readonly tells: readonly string[];
  readonly answers: readonly string[];
  readonly resume: Conversation | null;
}

export function emptyDialogue(): Dialogue {
  return { resume: null, unsent: [], answered: [], sent: nothingSent };
}

const nothingSent: SentWithPrompt = { tells: [], answers: [], resume: null };

export function sendWithPrompt(run: Run, dialogue: Dialogue): void {
  dialogue.sent = { tells: run.messages, answers: dialogue.unsent, resume: dialogue.resume };
  dialogue.resume = null;
  dialogue.unsent = [];
  run.messages = [];
}

export function sendAgain(run: Run, dialogue: Dialogue): void {
  run.messages = [...dialogue.sent.tells, ...run.messages];
  dialogue.unsent = [...dialogue.sent.answers, ...dialogue.unsent];
  dialogue.sent = nothingSent;
}

/** The conversation that this agent can continue as the builder of the task; null if it begins a new one. */
export function conversationOf({ dialogue }: TaskState, agent: AgentChoice): Conversation | null {
  const { resume } = dialogue;
  return resume?.role === 'builder' && isSameAgent(resume.agent, agent) ? resume : null;
}

/** A person answered the question: the task queues behind the one that was started meanwhile. */
export function takeAnswer(run: Run, task: TaskState, text: string): void {
  task.dialogue.answered.push({ question: questionOf(task)?.text ?? '', text });
  task.status = { is: 'active' };
  run.queue.active.delete(task);
  run.queue.active.add(task);
  task.actions.troubles = 0;
  task.actions.idleTurns = 0;
  task.dialogue.unsent.push(text);
  task.dialogue.resume = asked(run, task) ?? task.dialogue.resume;
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
