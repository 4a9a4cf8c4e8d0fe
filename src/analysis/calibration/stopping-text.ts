// Makes a text for a test file that only fails. Pure.
import { styleOf } from '#analysis/test-runners/style.ts';
import type { SourceText } from '#analysis/test-runners/test-runner.ts';

/**
 * A check that runs the file turns red without loading the work, and a linter or a compiler stays green. Null
 * if every file of its package loads the work, or if other files import this one.
 */
export function stoppingText({ path, text }: SourceText): string | null {
  if (/^export\b|\bmodule\.exports\b/m.test(text)) return null;
  const { quote, semicolon } = styleOf(text);
  const word = `${quote}stopped${quote}`;
  const [first = ''] = text.split('\n', 1);
  const head = first.startsWith('#!') ? `${first}\n` : '';
  const thrown = `throw new Error(${word})${semicolon}\n`;
  if (/\.[cm]?tsx?$/.test(path)) return `${head}${thrown}\nexport {}${semicolon}\n`;
  if (/\.[cm]?jsx?$/.test(path)) return head + thrown;
  if (path.endsWith('.py')) return `${head}raise RuntimeError(${word})\n`;
  if (/\.(?:t|pl)$/.test(path)) return `${head}use strict;\nuse warnings;\n\ndie ${word};\n`;
  if (path.endsWith('.bats')) return `${head}@test ${word} {\n  false\n}\n`;
  if (/\.(?:c|cc|cpp)$/.test(path)) return stoppedProgram;
  // A separate crate, which links the work only if it names it.
  if (/(?:^|\/)tests\/[^/]+\.rs$/.test(path) && !/^\s*pub\b/m.test(text))
    return `${innerAttributes(text)}${stoppedTest}`;
  return /\.(?:sh|bash)$/.test(path) || /^#!.*\b(?:ba|da)?sh\b/.test(head) ? `${head}exit 1\n` : null;
}

/** Runs before a constructor of the work can exit. */
const stoppedProgram = `#include <stdlib.h>

__attribute__((constructor(101))) static void stop(void) { _Exit(1); }

int main(void) { return 1; }
`;

const stoppedTest = '#[test]\nfn stopped() {\n    assert_eq!("stopped", "green");\n}\n';

/** They may allow code that a linter rejects, or exclude the file. */
function innerAttributes(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !/^(?:#!\[.*\]|\/\/.*|)$/.test(line.trim()));
  return lines
    .slice(0, end < 0 ? 0 : end)
    .map((line) => `${line}\n`)
    .join('');
}
