// A notification for the tests of each notifier, with every kind of text that an agent might write.
import type { Notification } from '#kernel/model/notification.ts';

export function sampleNotification(known: Partial<Notification> = {}): Notification {
  return {
    id: 'run/question/1',
    kind: 'needs-input',
    title: 'The run needs your answer',
    text: 'Red or blue?',
    at: '2026-11-16T04:20:00.000Z',
    run: '20261116-0420-abcd',
    repository: 'shop',
    goal: 'sell more',
    preset: 'campaign',
    outcome: null,
    task: 'main',
    commands: ['untildone answer "…"'],
    ...known,
  };
}
