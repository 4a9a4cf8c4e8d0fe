// The facts of the action loop in one line each.
import type { ActionEvent } from '#kernel/actions/action-loop.ts';
import { shortened } from '#views/words.ts';

export function describeActionEvent(event: { readonly at: number } & ActionEvent): string {
  switch (event.type) {
    case 'action-taken': {
      const { iteration, action, status, message, problems = [] } = event;
      const words = message === '' ? '' : `. ${shortened(message, 300)}`;
      const left = problems.length === 0 ? '' : ` (not taken over: ${shortened(problems.join(' '), 200)})`;
      return `[Iteration ${iteration}] Action: ${action}, Status: ${status}${words}${left}`;
    }
    case 'action-unreadable':
      return `the answer could not be used, and the agent is asked once more: ${shortened(event.problems.join(' '), 300)}`;
    case 'action-chosen': {
      const words = event.text === undefined || event.text === '' ? '' : `: ${shortened(event.text, 200)}`;
      return `${event.by} chose ${event.action}${words}`;
    }
  }
}
