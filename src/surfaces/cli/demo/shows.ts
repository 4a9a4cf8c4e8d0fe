// The demonstrations by preset: their first lines, and the script that the agent plays.
import { exampleTurns, exampleVerifier } from './action-turns.ts';

export interface DemoShow {
  /** Undefined: the default preset. */
  readonly preset?: string;
  readonly expect: string;
  readonly script: { readonly turns: readonly unknown[] };
  /** The command to type in the user's own repository. */
  readonly command: string;
}

export const demoGoal =
  'Write greet(name) in src/greet.js: it greets by name, and says "Hello, world!" without one.';

const wrong = 'export function greet(name) {\n  return `Hello, ${name}!`;\n}\n';
const right = "export function greet(name = 'world') {\n  return `Hello, ${name}!`;\n}\n";

export const builderShow: DemoShow = {
  expect: 'Its first attempt will claim to be done. Watch what our own check makes of that.',
  script: {
    turns: [
      {
        role: 'builder',
        actions: [
          { say: 'I will write the function.\n' },
          { write: { path: 'src/greet.js', text: wrong } },
          { usage: { usd: 0, tokens: 900 } },
          { say: 'All done, everything works!\n\n===WIGGUM_COMPLETE===\n' },
        ],
      },
      {
        role: 'builder',
        actions: [
          { say: 'The check says that greet() without a name is wrong. Correcting it.\n' },
          { write: { path: 'src/greet.js', text: right } },
          { run: 'node --test' },
          { usage: { usd: 0, tokens: 1100 } },
          { say: 'Both tests pass now.\n\n===WIGGUM_COMPLETE===\n' },
        ],
      },
      exampleVerifier,
    ],
  },
  command:
    'untildone run "what you want" --agent claude \\\n    --check "a command that fails today" --check "npm test"',
};

export const actionsShow: DemoShow = {
  preset: 'actions',
  expect:
    'It works turn by turn on one conversation. Its DEVELOP turn has a mistake; VALIDATE finds it, and DEBUG explains it.',
  script: { turns: [...exampleTurns({ path: 'src/greet.js', wrong, right }), exampleVerifier] },
  command: 'untildone run "what you want" --preset actions --check "npm test" --agent claude',
};

/** A suggestion for the interactive demo; any other order works too. */
export const interactiveHint =
  'Choose for example: develop, validate, debug, validate, complete. Ctrl-C saves and leaves.';
