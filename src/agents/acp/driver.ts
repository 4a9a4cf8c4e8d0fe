import type { DriverFacts } from '#agents/shared/driver-facts.ts';

export const acp: DriverFacts = {
  create: async (options) => (await import('./acp-agent.ts')).createAcpAgent(options),
  inline: { example: '"acp:my-agent --acp"', options: (command) => ({ command }) },
  takesModel: true,
  resumes: 'where-offered',
  can: { resume: 'tries', hears: 'after its turn', cost: 'perhaps', sandbox: false },
  commandOf: ({ command }) => command,
  whyFree: null,
  needsNothing: false,
};
