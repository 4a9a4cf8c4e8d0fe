import { expect, it } from 'vitest';
import { OperatorError } from '#base/operator-error.ts';
import { forCallers, noteForCallers } from './library-words.ts';

function hintFor(hint: string): string {
  const error = forCallers(new OperatorError('x', 'It failed.', hint));
  return error instanceof OperatorError ? error.hint : '';
}

it('A command in a hint becomes the option that it would set', () => {
  expect(hintFor('Give the path of a file: untildone run --task-file tasks/login.md')).toBe(
    "Give the path of a file: taskFile: 'tasks/login.md'",
  );
  expect(hintFor('Name one: --agent audit=claude.')).toBe("Name one: agent: { …, audit: 'claude' }.");
});

it('A note names an agent for a role as run() takes it', () => {
  expect(noteForCallers('There is no verifier. To let it review: --agent "verifier=command:cat x".')).toBe(
    "There is no verifier. To let it review: agent: { …, verifier: 'command:cat x' }.",
  );
});
