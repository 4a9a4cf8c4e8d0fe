import type { DriverFacts } from '#agents/shared/driver-facts.ts';

export const openai: DriverFacts = {
  create: async (options) => (await import('./openai-agent.ts')).createOpenaiAgent(options),
  inline: null,
  takesModel: true,
  resumes: 'by-id',
  can: { resume: 'yes', hears: 'at once', cost: 'tokens', sandbox: false },
  commandOf: () => null,
  whyFree: null,
  needsNothing: true,
};
