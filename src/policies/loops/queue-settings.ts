import type { QueueSettings } from '#kernel/model/config.ts';

export const defaultQueue: QueueSettings = {
  // What does not depend on the failed task is worth as much as before, and nobody is there at night to start it again.
  onFailure: 'continue',
  // One crash is bad luck and two are a coincidence; the third says something about the client or the machine.
  crashRetries: 2,
};
