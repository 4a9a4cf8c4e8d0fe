// Decides whether the command of a check, with its recipes and scripts, tests a compiled language. Pure.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { reachedRecipes } from './reached-recipes.ts';
import type { RunnerContext } from '#analysis/test-runners/test-runner.ts';

const tests = factsOf('tests');
const testCommands = tests.flatMap((each) => each.commands ?? []);
/** Tools that read test files without running them. */
const readers = tests.flatMap((each) => each.readers ?? []);
/** These run every test file that a reader next to them reads. */
const wholeCommands = tests.flatMap((each) => each.wholeCommands ?? []);

/** Contract: false if a reader alone may explain why a non-compiling test file turns the check red. */
export function runsTests(context: RunnerContext): boolean {
  const texts = reachedRecipes(context);
  const isMixed = texts.some((text) => readers.some((reader) => reader.test(text)));
  const commands = isMixed ? wholeCommands : testCommands;
  return texts.some((text) => commands.some((command) => command.test(text)));
}
