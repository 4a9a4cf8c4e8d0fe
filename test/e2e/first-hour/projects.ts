// Small repositories as a new user has them, and the agents that work in them.
import { spawnSync } from 'node:child_process';
import { pathWithNode } from '../package.ts';
import type { Place } from '../place.ts';

type Files = { readonly [path: string]: string };

export interface TestsFirst {
  readonly files: Files;
  readonly check: string;
  /** Shell that writes the missing module. */
  readonly work: string;
  isHere(): boolean;
}

const hello = 'echo hello > hello.txt';

/** A library whose dependency is declared and cannot be had. */
export const npmLibraryWithoutPackage: Files = {
  'package.json': JSON.stringify({
    name: 'sample',
    private: true,
    scripts: { test: 'node test.cjs' },
    dependencies: { 'no-such-greeting': '1.0.0' },
  }),
  'test.cjs': "require('no-such-greeting');\n",
};

/** A library with a dependency that installs without a network. */
export const npmLibrary: Files = {
  'package.json': JSON.stringify({
    name: 'sample',
    version: '1.0.0',
    private: true,
    scripts: { test: 'node test.cjs' },
    dependencies: { greeting: 'file:./greeting' },
  }),
  'greeting/package.json': JSON.stringify({ name: 'greeting', version: '1.0.0', main: 'index.js' }),
  'greeting/index.js': "module.exports = 'hello';\n",
  'test.cjs': [
    "const greeting = require('greeting');",
    "const text = require('node:fs').readFileSync('hello.txt', 'utf8').trim();",
    'if (text !== greeting) throw new Error(`expected ${greeting}, found ${text}`);',
  ].join('\n'),
  '.gitignore': 'node_modules\n',
};

export const uvProject: Files = {
  'pyproject.toml': '[project]\nname = "sample"\nversion = "1.0.0"\ndependencies = ["requests"]\n',
  'uv.lock': 'version = 1\n',
  'test.sh': 'grep -q hello hello.txt\n',
  '.gitignore': '.venv\n',
};

export const makefileProject: Files = { Makefile: 'test:\n\tgrep -q hello hello.txt\n' };

export const javascriptTestsFirst: TestsFirst = {
  files: {
    'package.json': JSON.stringify({ name: 'sample', private: true, type: 'module' }),
    'test/hello.test.js':
      "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { hello } from '../src/hello.js';\n" +
      "test('says hello', () => assert.equal(hello(), 'hello'));\n",
  },
  check: 'node --test',
  work: 'mkdir -p src; echo "export const hello = () => \'hello\';" > src/hello.js',
  isHere: () => true,
};

export const pythonTestsFirst: TestsFirst = {
  files: {
    'requirements.txt': 'requests\n',
    'tests/__init__.py': '',
    'tests/test_greeting.py':
      'import unittest\n\nfrom greeting import hello\n\n\nclass Hello(unittest.TestCase):\n    def test_hello(self):\n        ' +
      "self.assertEqual(hello(), 'hello')\n",
  },
  check: 'python3 -m unittest discover -s tests -t .',
  work: 'printf "def hello():\\n    return \'hello\'\\n" > greeting.py',
  isHere: () => works('python3', ['--version']),
};

export const goTestsFirst: TestsFirst = {
  files: {
    'go.mod': 'module example.com/sample\n\ngo 1.21\n',
    'hello_test.go':
      'package sample\n\nimport (\n\t"testing"\n\n\t"example.com/sample/greeting"\n)\n\n' +
      'func TestHello(t *testing.T) {\n\tif greeting.Hello() != "hello" {\n\t\tt.Fatal("no hello")\n\t}\n}\n',
  },
  check: 'go test ./...',
  work: 'mkdir -p greeting; printf \'package greeting\\n\\nfunc Hello() string { return "hello" }\\n\' > greeting/greeting.go',
  isHere: () => works('go', ['version']),
};

/** A builder that does the work and leaves a mark, so that a test sees that it was started. */
export function builderOf(place: Place, work = hello): string[] {
  const text = `cat > /dev/null\ntouch '${place.folder}/agent-was-here'\n${work}\necho; echo "===WIGGUM_COMPLETE==="\n`;
  return ['--agent', `command:sh ${place.write('builder.sh', text)}`];
}

export function reviewedBy(place: Place, verifier: string): string[] {
  const script = place.write('verifier.sh', `cat > /dev/null\n${verifier}\n`);
  return [...builderOf(place), '--agent', `verifier=command:sh ${script}`];
}

function works(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { env: { PATH: pathWithNode() } }).status === 0;
}
