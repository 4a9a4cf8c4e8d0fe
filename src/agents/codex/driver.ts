import type { DriverFacts } from '#agents/shared/driver-facts.ts';
import { codex as client } from './facts.ts';

export const codex: DriverFacts = {
  create: async (options) => (await import('./codex-agent.ts')).createCodexAgent(options),
  inline: null,
  takesModel: true,
  resumes: 'by-id',
  can: client.can,
  commandOf: ({ binary }) => [binary ?? 'codex'],
  whyFree: null,
  needsNothing: false,
};
