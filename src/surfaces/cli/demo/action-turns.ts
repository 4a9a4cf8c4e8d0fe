// The scripted agent's turns in an action loop: INIT, a DEVELOP with a mistake, a DEBUG that fixes it.
import type { ActionName, ActionState, ActionWish } from '#kernel/actions/action.ts';

interface ExampleFiles {
  readonly path: string;
  readonly wrong: string;
  readonly right: string;
}

/**
 * The script cannot know which action a person chooses. After INIT its turns alternate between DEVELOP and
 * DEBUG, so a turn that reports the other action is sent back once, and the next one fits.
 */
export function exampleTurns({ path, wrong, right }: ExampleFiles): readonly unknown[] {
  const fixed = { path, text: right };
  const later = Array.from({ length: laterTurnsMax }, () => [
    turn([{ write: fixed }], 500, report('DEVELOP', 'The function is written; nothing is left to do.', done)),
    turn([{ write: fixed }], 500, report('DEBUG', 'No new failure was found.', done)),
  ]);
  return [
    turn(
      [{ say: 'I look at the repository first.\n' }, { tool: 'Read', summary: 'test/greet.test.js' }],
      400,
      report('INIT', 'One function is missing; its test is there.', {
        next: 'DEVELOP',
        stateUpdates: { tasks: [{ ...task, status: 'pending' }] },
      }),
    ),
    turn(
      [{ say: 'I write the function.\n' }, { write: { path, text: wrong } }],
      900,
      report('DEVELOP', 'greet(name) greets by name.', { ...done, filesUpdated: [path] }),
    ),
    turn(
      [
        { say: 'I run the test and read the failure before I change anything.\n' },
        { run: 'node --test' },
        { write: fixed },
        { run: 'node --test' },
      ],
      1200,
      report('DEBUG', 'Without a name, greet() said "Hello, undefined!". It has a default now.', {
        ...done,
        filesUpdated: [path],
        stateUpdates: { ...done.stateUpdates, hypotheses },
      }),
    ),
    ...later.flat(),
  ];
}

/** More than the turns that a loop allows. */
const laterTurnsMax = 10;

const task = { id: 't1', title: 'write greet(name)' };
const done = { next: 'VALIDATE', stateUpdates: { tasks: [{ ...task, status: 'done' }] } } as const;

const hypotheses = [
  {
    id: 'h1',
    text: 'the test imports another file',
    evidence: 'the first test passes, so the import works',
    status: 'rejected',
  },
  {
    id: 'h2',
    text: 'the parameter has no default',
    evidence: 'the failing test got "Hello, undefined!"',
    status: 'confirmed',
  },
];

interface Result {
  readonly next: ActionWish;
  readonly stateUpdates: ActionState;
  readonly filesUpdated?: readonly string[];
}

function report(
  action: ActionName,
  message: string,
  { next, stateUpdates, filesUpdated = [] }: Result,
): string {
  return [
    'ACTION_RESULT:',
    `- action: ${action}`,
    '- status: success',
    `- message: ${message}`,
    `- state_updates: ${JSON.stringify(stateUpdates)}`,
    ...(filesUpdated.length === 0 ? [] : ['FILES_UPDATED:', ...filesUpdated.map((file) => `- ${file}`)]),
    `NEXT_ACTION_NEEDED: ${next}`,
  ].join('\n');
}

function turn(acts: readonly unknown[], tokens: number, result: string): unknown {
  const actions = [...acts, { usage: { usd: 0, tokens } }, { say: `\n${result}\n` }];
  return { role: 'builder', actions };
}

export const exampleVerifier: unknown = {
  role: 'verifier',
  actions: [
    { tool: 'Read', summary: 'src/greet.js' },
    { run: 'node --test' },
    { say: 'I tried to refute both claims and could not.\n\n===VERIFIER_COMPLETE===\n' },
    { usage: { usd: 0, tokens: 700 } },
  ],
};
