import { expect, it } from 'vitest';
import { isReadableTest, isTestText } from './test-texts.ts';

const jest = "describe('sum', () => {\n  it('adds', () => {\n    expect(sum(1, 2)).toBe(3);\n  });\n});\n";

it.each([
  ['node:test', 'checks/sum.mjs', "import { test } from 'node:test';\ntest('adds', () => {});\n"],
  ['node:test, required', 'checks/sum.js', "const test = require('node:test');\ntest('adds', () => {});\n"],
  ['vitest', 'src/sum.cases.ts', `import { describe, expect, it } from 'vitest';\n${jest}`],
  ['jest or mocha, by global names', 'checks/sum.js', `const sum = require('../sum');\n${jest}`],
  ['tape', 'checks/sum.js', "var test = require('tape');\ntest('adds', function (t) { t.end(); });\n"],
  ['ava', 'checks/sum.js', "import test from 'ava';\ntest('adds', (t) => t.is(sum(1), 1));\n"],
  ['tap', 'checks/sum.js', "const t = require('tap');\nt.test('adds', async (t) => {});\n"],
  ['Deno', 'checks/sum.ts', "import { assertEquals } from 'jsr:@std/assert';\nDeno.test('a', () => {});\n"],
  ['pytest', 'checks/sum.py', 'import pytest\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n'],
  [
    'pytest with fixtures',
    'checks/sum.py',
    'import pytest\n\n@pytest.fixture\ndef one():\n    return 1\n\ndef test_adds(one):\n    pass\n',
  ],
  [
    'unittest',
    'checks/sum.py',
    'import unittest\n\nclass Sum(unittest.TestCase):\n    def setUp(self):\n        pass\n\n    def test_adds(self):\n        pass\n',
  ],
  [
    'JUnit 5',
    'src/it/java/Sum.java',
    'import org.junit.jupiter.api.Test;\nclass Sum {\n  @Test void adds() {}\n}\n',
  ],
  ['NUnit', 'checks/Sum.cs', 'using NUnit.Framework;\nclass Sum {\n  [Test] public void Adds() {}\n}\n'],
  ['PHPUnit', 'checks/Sum.php', '<?php\nclass Sum extends TestCase {\n  public function testAdds() {}\n}\n'],
  ['RSpec', 'checks/sum.rb', "RSpec.describe Sum do\n  it 'adds' do\n  end\nend\n"],
  [
    'Minitest',
    'checks/sum.rb',
    "require 'minitest/autorun'\nclass A < Minitest::Test\n  def test_a\n  end\nend\n",
  ],
  ['bats', 'checks/sum.sh', '@test "adds" {\n  [ 1 = 1 ]\n}\n'],
  ['Test::More', 'checks/sum.pl', 'use Test::More;\nis(add(1, 2), 3);\ndone_testing;\n'],
  ['googletest', 'checks/sum.cc', '#include <gtest/gtest.h>\nTEST(Sum, Adds) { EXPECT_EQ(add(1, 2), 3); }\n'],
  ['Catch2', 'checks/sum.cpp', '#include <catch2/catch_test_macros.hpp>\nTEST_CASE("adds") {}\n'],
  ['ExUnit', 'checks/sum.exs', 'defmodule A do\n  use ExUnit.Case\n  test "adds" do\n  end\nend\n'],
  ['an ambiguous name with a definition alone', 'src/sum-test.js', "test('adds', () => ok(1));\n"],
])('A file whose path shows no test is a test by its text: %s [X8]', (_, path, text) => {
  expect(isReadableTest(path)).toBe(true);
  expect(isTestText(path, text)).toBe(true);
});

it.each([
  [
    'a runner of a test framework',
    'src/run.ts',
    "import { test } from 'vitest';\nexport const run = () => test('a');\n",
  ],
  [
    'a contract suite that a library offers',
    'src/testing/suite.ts',
    `import { it } from 'vitest';\nexport ${'function'} suite() {}\n${jest}`,
  ],
  [
    'helpers for tests',
    'src/testing/render.tsx',
    "import { render } from '@testing-library/react';\nrender(1);\n",
  ],
  [
    'product code with tests inside',
    'src/sum.ts',
    `import { it } from 'vitest';\nexport const sum = 1;\n${jest}`,
  ],
  ['product code in CommonJS with tests inside', 'sum.js', `module.exports = { sum };\n${jest}`],
  ['a command called test', 'src/commands/test.ts', "run('jest');\n"],
  ['a split test of a web shop', 'src/ab-test.ts', 'export const isB = () => Math.random() > 0.5;\n'],
  [
    'a base class for tests',
    'app/testing.py',
    'import unittest\n\nclass Base(unittest.TestCase):\n    pass\n',
  ],
  [
    'a kata with its tests in one file',
    'sum.py',
    'import pytest\n\ndef add(a, b):\n    return a + b\n\ndef test_add():\n    pass\n',
  ],
  ['a domain word', 'src/lab.py', 'def test_blood(sample):\n    return sample\n'],
  ['a medical class', 'src/main/java/TestResult.java', 'class TestResult {}\n'],
  ['Javadoc of a framework', 'src/main/java/A.java', 'import org.junit.A;\n/**\n * @Test\n */\nclass A {}\n'],
  ['macros of a framework', 'src/gtest.cc', '#include "gtest/gtest.h"\n#define TEST(a, b) x\n'],
  ['Rust, whose tests are pinned one by one', 'src/lib.rs', '#[test]\nfn adds() {}\n'],
  ['a text about tests', 'README.md', jest],
])('A file that only mentions tests is not a test: %s [X8]', (_, path, text) => {
  expect(isTestText(path, text)).toBe(false);
});
