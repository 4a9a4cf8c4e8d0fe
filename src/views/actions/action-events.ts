// Describes each fact of the action loop in one line.
import type { ActionFact } from '#kernel/events/action-facts.ts';
import type { EventSentences } from '#views/lines/event-sentences.ts';
import { shortened } from '#views/words.ts';

export const actionSentences: EventSentences<ActionFact['type']> = {
  'action-taken': ({ iteration, action, status, message, problems = [] }) => {
    const words = message === '' ? '' : `. ${shortened(message, 300)}`;
    const left = problems.length === 0 ? '' : ` (not applied: ${shortened(problems.join(' '), 200)})`;
    return `[Iteration ${iteration}] Action: ${action}, Status: ${status}${words}${left}`;
  },
  'action-unreadable': ({ problems }) =>
    `the answer could not be used; asking the agent again: ${shortened(problems.join(' '), 300)}`,
  'action-chosen': ({ by, action, text = '' }) =>
    `${by} chose ${action}${text === '' ? '' : `: ${shortened(text, 200)}`}`,
};
