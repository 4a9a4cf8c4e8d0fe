import type { MenuEntries } from '#surfaces/cli/screen/menu-state.ts';

/** For tests: the choices of an action loop. */
export const sampleEntries: MenuEntries = {
  choices: [
    { key: 'd', name: 'develop', description: 'let the agent work on what is open', takesText: true },
    { key: 'b', name: 'debug', description: 'let the agent find the cause of a failure', takesText: true },
    { key: 'v', name: 'validate', description: 'run the checks now', takesText: false },
    { key: 'c', name: 'complete', description: 'end the run if everything is proven', takesText: false },
  ],
  exit: { key: 'x', name: 'exit', description: 'save and leave' },
  asides: [
    { key: 'f', name: 'diff' },
    { key: 'l', name: 'log' },
    { key: 's', name: 'status' },
  ],
};
