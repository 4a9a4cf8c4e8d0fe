// Facts about tests of Python: their names, words and commands. Pure.
import type { TestFacts } from '#analysis/ecosystems/test-facts.ts';
import { separateTests } from './inline-tests.ts';
import { pythonLines } from './test-lines.ts';

export const pythonTests: TestFacts = {
  lines: pythonLines,
  files: [/(^|\/)(test_[^/]+|tests_[^/]+|tests|conftest)\.py$/, /_(tests?|unittests?)\.py$/],
  texts: [
    {
      files: /\.py$/,
      library:
        /^(?:import|from)\s+(?:pytest|unittest|django\.test|hypothesis|nose2?|testtools|absl\.testing)\b/m,
      defines: /^(?:async )?def test_\w*\s*\(|^(?: {2}| {4}|\t)(?:async )?def test[_A-Z]\w*\s*\(\s*self\b/m,
      offers: hasMoreThanTests,
    },
  ],
  plainTexts: [[/\.py$/, /^\s*def test_\w+\(/m]],
  ownTests: [[/\.py$/, separateTests]],
  // `  File "x.py", line 3, in f`
  frames: [/^\s*File ".*", line \d+, in /],
  words: {
    skipping:
      /@pytest\.mark\.(?:skip|xfail)|\bpytest\.(?:skip|importorskip)\s*\(|@(?:unittest\.)?skip(?:If|Unless)?\b|\bself\.skipTest\(/,
    test: /\bdef test\w*\s*\(/,
    empty: /\bdef \w+\([^)]*\)[^:\n]*:\s*(?:pass|\.\.\.)\s*(?:#.*)?(?:\n|$)/,
    ending: /\b(?:sys\.)?exit\(0?\)|\bos\._exit\(/,
    unruled: /#\s*(?:noqa|type:\s*ignore|pylint:\s*disable)/,
  },
  selecting: {
    programs: [String.raw`py\.?test`, String.raw`python[\d.]*`],
    started: 'unittest pytest',
    others: [/\.py::|\.py +(?:-\S+ +)*[A-Z]\w|\bunittest +\S*\.[A-Z]/],
    leftOut: 'deselected',
  },
  exitWithoutTests: { pytest: 5 },
  settings: 'pytest.ini pyproject.toml tox.ini setup.cfg',
};

/** Python has no exports: a file with as many functions as tests is product code with its own tests. */
function hasMoreThanTests(text: string): boolean {
  const isPlain = /^(?:async )?def (?!test|_|set_?up|tear_?down)\w/;
  const lines = text.split('\n');
  const functions = lines.filter((line, at) => isPlain.test(line) && !(lines[at - 1] ?? '').startsWith('@'));
  const tests = lines.filter((line) => /^[ \t]*(?:async )?def test/.test(line));
  return functions.length >= Math.max(tests.length, 1);
}
