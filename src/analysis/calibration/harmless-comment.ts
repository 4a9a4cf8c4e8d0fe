// Adds a comment to a test file: its tests are the same, its bytes are not. Pure.
import { withLineEnd } from '#analysis/test-runners/style.ts';
import type { SourceText } from '#analysis/test-runners/test-runner.ts';

/**
 * A comment, not a passing test: one more test breaks a test plan, and a formatter may reject its style. Null
 * if the end of the file is not code.
 */
export function withComment({ path, text }: SourceText, words: string): string | null {
  if (/^__(?:END|DATA)__/m.test(text) || /\?>\s*$/.test(text)) return null;
  const whole = withLineEnd(text);
  // Formatters want this after a function at the left margin.
  if (path.endsWith('.py')) return `${whole}\n\n# ${words}\n`;
  if (/\.(?:[cm]?[jt]sx?|go|rs|java|kt|php|cc|cpp)$/.test(path)) return `${whole}\n// ${words}\n`;
  if (path.endsWith('.c')) return `${whole}\n/* ${words} */\n`;
  const isHashed = /\.(?:rb|t|pl|bats|sh|bash)$/.test(path) || text.startsWith('#!');
  return isHashed ? `${whole}\n# ${words}\n` : null;
}
