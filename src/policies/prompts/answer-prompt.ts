// The prompt of a resumed builder that asked a question: it knows its task, so only the answer is new.
import { present } from '#base/assert.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { howToAsk, own } from './builder-prompt.ts';
import { clipped, withoutMarkerLines } from './render.ts';

export function answerPrompt(run: Run, task: TaskState): string {
  const { words } = present(run.config.roles['builder'], 'the preset has a builder');
  const answers = task.dialogue.answered
    .slice(-Math.max(1, task.dialogue.unsent.length))
    .map(({ question, text }) => `You asked: ${clipped(question, 1000)}\nThe answer: ${text}`);
  const messages = run.messages.map((text) => `The person who started this also says: ${text}`);
  const { text } = own({ text: [...answers, ...messages].join('\n\n') });
  const rest = `Go on with your task. All that you were told before still holds. When everything is done, end your last message with the marker ${words.done} on a line of its own.`;
  const prompt = [text, rest, howToAsk(words.needsInput)].filter((part) => part !== '').join('\n\n');
  const { done, needsInput = done } = words;
  return withoutMarkerLines(withoutMarkerLines(prompt, done), needsInput);
}
