import { isAbsolute, resolve } from 'node:path';
import type { DriverFacts } from '#agents/shared/driver-facts.ts';
import { fewAbilities } from '#agents/shared/driver-facts.ts';

export const scripted: DriverFacts = {
  create: async (options, player) =>
    (await import('./scripted-agent.ts')).createScriptedAgent(options, player),
  inline: {
    example: 'scripted:script.json',
    options: (rest, cwd) => ({ script: isAbsolute(rest) ? rest : resolve(cwd, rest) }),
  },
  takesModel: false,
  resumes: 'by-id',
  can: fewAbilities,
  commandOf: () => null,
  whyFree: 'it plays a script',
  needsNothing: true,
};
