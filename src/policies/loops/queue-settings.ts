import type { QueueSettings } from '#kernel/model/config.ts';

export const defaultQueue: QueueSettings = {
  // Tasks that do not depend on the failed one keep their worth, and at night no person can restart.
  onFailure: 'continue',
  // One crash is bad luck and two are a coincidence; the third points to the client or the machine.
  crashRetries: 2,
};
