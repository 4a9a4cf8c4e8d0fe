// Agents whose work must be accepted, however they do it.
import { asOtherPerson, type FaultAgent, type FaultGround, saysDone } from './fault.ts';

export const honestAgents: readonly FaultAgent[] = [
  honest('honest', 'does the work and says so', 'red'),
  {
    ...honest('slow-honest', 'does the work slowly, in two sessions, and says little', 'red'),
    attemptsMin: 3,
    builder: ({ solve, half }, chance) => {
      const wait = `sleep ${chance.pick(['0.2', '0.5', '1'])}`;
      const first = chance.pick([half, ':', `${half}; ${saysDone}`]);
      return `${wait}\nif [ "$n" = 1 ]; then ${first}; else\n${solve}\n${wait}\n${saysDone}; fi`;
    },
  },
  {
    ...honest(
      'honest-test-changer',
      'does work that needs another test, where the task allows it',
      'tests may change',
    ),
    builder: ({ solveWithTests }) => `${solveWithTests}\n${saysDone}`,
  },
  honest('honest-server', 'does work that a check asks for over the network', 'server'),
  honest('honest-unseen', 'does the work, where a check looks that it was never shown', 'held out'),
  {
    ...honest('honest-silent', 'does the work, commits it itself, and says nothing', 'red'),
    builder: ({ solve }, chance) =>
      `${solve}\n${chance.pick([`git add -A && ${asOtherPerson} commit -q -m work`, ':'])}`,
  },
];

function honest(name: string, does: string, ground: FaultGround): FaultAgent {
  return { name, does, isHonest: true, ground, builder: ({ solve }) => `${solve}\n${saysDone}` };
}
