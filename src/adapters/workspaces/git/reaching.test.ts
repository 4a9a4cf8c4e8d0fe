import { describe, expect, it } from 'vitest';
import { harmsTests } from './reaching.ts';

describe('work that turns against the tests', () => {
  it.each([
    ['a.js', "import assert from 'node:assert';\nassert.equal = () => {};\n"],
    ['a.js', "import judge from 'node:assert/strict';\njudge.deepEqual = () => {};\n"],
    ['a.cjs', "require('assert').equal = () => {};\n"],
    ['a.ts', 'globalThis.expect = () => new Proxy({}, {});\n'],
    ['a.js', "process.on('exit', () => { process.exitCode = 0; });\n"],
    ['a.js', "process.once('exit', () => process.reallyExit(0));\n"],
    ['a.js', 'if (process.env.NODE_TEST_CONTEXT) process.exit(0);\nexport const a = 1;\n'],
    ['a.js', "if (process.argv.some((word) => word.includes('test'))) {\n  process.exit(0);\n}\n"],
    ['a.py', 'import unittest\nunittest.TestResult.wasSuccessful = lambda self: True\n'],
    ['a.py', 'import unittest\nraise unittest.SkipTest("later")\n'],
    ['a.py', 'import pytest\npytest.skip("later", allow_module_level=True)\n'],
    ['a.py', 'import atexit, os\natexit.register(lambda: os._exit(0))\n'],
    ['a.go', 'package a\n\nfunc init() {\n\tos.Exit(0)\n}\n'],
    ['A.java', 'class A {\n  static {\n    System.exit(0);\n  }\n}\n'],
  ])('is seen in %s: %j [X8]', (path, text) => expect(harmsTests(`src/${path}`, text)).not.toBeNull());

  it.each([
    ['src/cli.js', "if (process.argv.includes('--help')) {\n  usage();\n  process.exit(0);\n}\nexport {};\n"],
    ['src/cli.js', 'if (!process.env.VITEST) process.exit(0);\n'],
    ['src/a.js', "process.on('exit', () => { server.close(); });\n"],
    ['src/a.js', "import assert from 'node:assert';\nassert.equal(1, 1);\nconst equal = assert.equal;\n"],
    ['src/a.ts', "import { expect } from 'chai';\nexport const check = (a) => expect(a).equal(1);\n"],
    ['tests/test_a.py', 'import pytest\n\ndef test_a():\n    pytest.skip("no network")\n'],
    ['main.go', 'package main\n\nfunc main() {\n\tos.Exit(0)\n}\n'],
    ['src/Main.java', 'class Main {\n  public static void main(String[] a) {\n    System.exit(0);\n  }\n}\n'],
  ])('is told from honest work: %s %j [X8]', (path, text) => expect(harmsTests(path, text)).toBeNull());
});
