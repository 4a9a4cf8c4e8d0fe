// Facts of a run as a whole, each in a line.
import type { Event } from '#kernel/events/events.ts';
import { shortened } from '#views/words.ts';
import { cleanedText } from './cleaned.ts';
import { landedText } from './landed.ts';

type RunEvent = Exclude<Extract<Event, { readonly type: `run-${string}` }>, { readonly taskId: string }>;

export function isRunEvent(event: Event): event is RunEvent {
  return event.type.startsWith('run-') && !('taskId' in event);
}

export function describeRunEvent(event: RunEvent): string {
  switch (event.type) {
    case 'run-created':
      return `run ${event.runId} created: ${shortened(event.config.goal, 100)}`;
    case 'run-landed':
      return landedText(event);
    case 'run-ended':
      return `${event.outcome}: ${event.reason}`;
    case 'run-reopened':
      return `the run is taken up again by ${event.by}`;
    case 'run-forked':
      return `forked by ${event.by} from run ${event.from}, event ${event.event}; from here on the run is its own`;
    case 'run-approved':
      return `${event.by} approved the work as a whole, on tree ${event.tree.slice(0, 10)}`;
    case 'run-cleaned':
      return cleanedText(event);
  }
}
