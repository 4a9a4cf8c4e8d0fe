import type { DriverFacts } from '#agents/shared/driver-facts.ts';
import { claude as client } from './facts.ts';

export const claude: DriverFacts = {
  create: async (options) => (await import('./claude-agent.ts')).createClaudeAgent(options),
  inline: null,
  takesModel: true,
  resumes: 'by-id',
  can: client.can,
  // The SDK may bring its own program.
  commandOf: () => null,
  refuse: async (beginning) => (await import('./refuse-claude.ts')).refuseClaude(beginning),
  whyFree: null,
  needsNothing: false,
};
