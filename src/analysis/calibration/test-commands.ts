// Whether the command of a check, with the recipes and scripts that it leads to, runs tests of a compiled language. Pure.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { reachedRecipes } from './reached-recipes.ts';
import type { RunnerContext } from '#analysis/test-runners/test-runner.ts';

const tests = factsOf('tests');
const testCommands = tests.flatMap((each) => each.commands ?? []);
/** Tools that read test files without running them. */
const readers = tests.flatMap((each) => each.readers ?? []);
/** These run every test file that a reader beside them reads. */
const wholeCommands = tests.flatMap((each) => each.wholeCommands ?? []);

/** Contract: false where a reader alone may explain why a test file that does not compile turns the check red. */
export function runsTests(context: RunnerContext): boolean {
  const texts = reachedRecipes(context);
  const isMixed = texts.some((text) => readers.some((reader) => reader.test(text)));
  const commands = isMixed ? wholeCommands : testCommands;
  return texts.some((text) => commands.some((command) => command.test(text)));
}
