// Whether the command of a check, with the recipes and scripts that it leads to, runs tests of a compiled language. Pure.
import { reachedRecipes } from './reached-recipes.ts';
import type { RunnerContext } from './test-runner.ts';

const testCommands: readonly RegExp[] = [
  /\bcargo\s+(?:[+-]\S+\s+)*(?:test|t|nextest\s+run)(?=\s|$)(?![^\n;&|]*--no-run\b)/m,
  /\bgo\s+(?:-C\s+\S+\s+)?test(?=\s|$)/m,
  /\b(?:mvnw?|gradlew?)\b(?![^\n;&|]*(?:skipTests|test\.skip|\s-x\s+test\b))[^\n;&|]*\s\S*?(?:[tT]est|verify|check|build|package|install)(?=\s|$)/m,
  /(?<![\w-])(?:phpunit|rspec)(?=\s|$)(?![^\n;&|]*--(?:dry-run|list))/m,
  /(?<![\w-])(?:rake|ruby(?!\s+-w?c\b))\s[^\n;&|]*(?:test|spec)/,
];

/** Tools that read test files without running them. */
const readers =
  /\bcargo\s+(?:[+-]\S+\s+)*(?:check|c|clippy|build|b|fmt|doc)(?=\s|$)|\bgo\s+(?:vet|build|fmt)\b|\b(?:rustfmt|gofmt|goimports|golangci-lint|staticcheck|rubocop|phpstan|psalm|phpcs)\b|\b(?:ruby\s+-w?c|php\s+-l)\b/m;

/** These run every test file that a reader beside them reads. */
const wholeCommands: readonly RegExp[] = [
  /\bcargo\s+(?:\+\S+\s+)?(?:test|t|nextest\s+run)(?=\s|$)(?![^\n;&|]*\s(?:--(?:lib|bins?|doc|examples?|benches|test|package|exclude|no-run|manifest-path)|-p)\b)/m,
  /\bgo\s+test\s[^\n;&|]*\.\/\.\.\./,
];

/** Contract: false where a reader alone may explain why a test file that does not compile turns the check red. */
export function runsTests(context: RunnerContext): boolean {
  const texts = reachedRecipes(context);
  const isMixed = texts.some((text) => readers.test(text));
  const commands = isMixed ? wholeCommands : testCommands;
  return texts.some((text) => commands.some((command) => command.test(text)));
}
