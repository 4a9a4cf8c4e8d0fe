import { type DriverFacts, fewAbilities } from '#agents/shared/driver-facts.ts';

export const command: DriverFacts = {
  create: async (options) => (await import('./command-agent.ts')).createCommandAgent(options),
  inline: { example: '"command:my-cli --flag"', options: (rest) => ({ command: rest, prompt: 'stdin' }) },
  takesModel: false,
  resumes: 'no',
  can: fewAbilities,
  commandOf: (options) => options['command'],
  whyFree: null,
  needsNothing: false,
};
