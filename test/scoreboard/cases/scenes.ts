// The small repository of each language: `add` is missing, `gap` works, a test for each, and a check that runs both.
import { askedInputs, testedInputs } from '#testing/faults/sample-inputs.ts';
import { languages } from '#testing/faults/sample-languages.ts';
import type { Operation } from '#testing/faults/sample-task.ts';
import { put, quoted } from '#testing/faults/fault.ts';
import type { Toolchain } from './toolchains.ts';

export interface Scene {
  readonly files: { readonly [path: string]: string };
  readonly check: string;
  /** Shell that prints what `add` answers to the asked inputs, in one line. */
  readonly ask: string;
  /** The work, honestly. */
  readonly solve: string;
}

/** How a function and its test are written. */
interface Writing {
  path(name: string): string;
  source(name: string, form: string): string;
  testPath(name: string): string;
  test(operation: Operation, inputs: typeof testedInputs): string;
}

const add: Operation = { name: 'add', form: 'a + b', of: (a, b) => a + b };
const gap: Operation = { name: 'gap', form: 'a - b', of: (a, b) => a - b };

/** What `ask` of every scene prints when the work is done. */
export const answers = askedInputs.map(([a, b]) => add.of(a, b)).join(' ');

const perl: Writing = {
  path: (name) => `lib/${capital(name)}.pm`,
  source: (name, form) =>
    `package ${capital(name)};\nuse strict;\nuse Exporter 'import';\nour @EXPORT = ('${name}');\nsub ${name} { my ($a, $b) = @_; return ${form.replace(/[ab]/g, '$$$&')}; }\n1;\n`,
  testPath: (name) => `t/${name}.t`,
  test: ({ name, of }, inputs) =>
    `use strict;\nuse Test::More;\nuse ${capital(name)};\n${inputs.map(([a, b]) => `is(${name}(${a}, ${b}), ${of(a, b)}, '${name} ${a} ${b}');\n`).join('')}done_testing();\n`,
};

const c: Writing = {
  path: (name) => `src/${name}.c`,
  source: (name, form) => `#include "calc.h"\n\nint ${name}(int a, int b) {\n  return ${form};\n}\n`,
  testPath: (name) => `tests/test_${name}.c`,
  test: ({ name, of }, inputs) =>
    `#include <assert.h>\n#include "calc.h"\n\nint main(void) {\n${inputs.map(([a, b]) => `  assert(${name}(${a}, ${b}) == ${of(a, b)});\n`).join('')}  return 0;\n}\n`,
};

const rust: Writing = {
  path: (name) => `src/${name}.rs`,
  source: (name, form) => `pub fn ${name}(a: i64, b: i64) -> i64 {\n    let _ = (a, b);\n    ${form}\n}\n`,
  testPath: (name) => `tests/${name}.rs`,
  test: ({ name, of }, inputs) =>
    `use calc::${name}::${name};\n\n#[test]\nfn ${name}s() {\n${inputs.map(([a, b]) => `    assert_eq!(${name}(${a}, ${b}), ${of(a, b)});\n`).join('')}}\n`,
};

const go: Writing = {
  path: (name) => `${name}.go`,
  source: (name, form) =>
    `package calc\n\nfunc ${capital(name)}(a, b int) int {\n\t_, _ = a, b\n\treturn ${form}\n}\n`,
  testPath: (name) => `${name}_test.go`,
  test: ({ name, of }, inputs) =>
    `package calc\n\nimport "testing"\n\nfunc Test${capital(name)}(t *testing.T) {\n${inputs.map(([a, b]) => `\tif got := ${capital(name)}(${a}, ${b}); got != ${of(a, b)} {\n\t\tt.Fatal("got", got)\n\t}\n`).join('')}}\n`,
};

const pytest: Writing = {
  ...languages.python,
  test: ({ name, of }, inputs) =>
    `from calc.${name} import ${name}\n\n\ndef test_${name}():\n${inputs.map(([a, b]) => `    assert ${name}(${a}, ${b}) == ${of(a, b)}\n`).join('')}`,
};

const java: Writing = {
  path: (name) => `src/${capital(name)}.java`,
  source: (name, form) =>
    `public class ${capital(name)} {\n  public static int ${name}(int a, int b) {\n    return ${form};\n  }\n}\n`,
  testPath: (name) => `it/${capital(name)}IT.java`,
  test: ({ name, of }, inputs) =>
    `public class ${capital(name)}IT {\n  public static void main(String[] args) {\n${inputs.map(([a, b]) => `    if (${capital(name)}.${name}(${a}, ${b}) != ${of(a, b)}) throw new AssertionError("${name}");\n`).join('')}  }\n}\n`,
};

const cargoToml = '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n';
const pairs = askedInputs.map(([a, b]) => `${a} ${b}`);
const sourced = 'set -e\nfor t in tests/*.test.sh; do sh "$t"; done\n';

export const scenes: { readonly [name in Toolchain]: Scene } = {
  node: scene(languages.node, { ...languages.node.files }, 'npm test', nodeAsk()),
  python: scene(languages.python, { ...languages.python.files }, 'python3 -m unittest', pythonAsk()),
  pytest: scene(pytest, { ...languages.python.files }, 'python3 -m pytest -q', pythonAsk()),
  sh: scene(languages.sh, { 'run-tests.sh': sourced }, 'sh run-tests.sh', shellAsk()),
  make: scene(
    languages.sh,
    { Makefile: 'check:\n\t@for t in tests/*.test.sh; do echo "$$t"; sh "$$t" || exit 1; done\n' },
    'make check',
    shellAsk(),
  ),
  c: scene(
    c,
    {
      'src/calc.h': 'int add(int a, int b);\nint gap(int a, int b);\n',
      Makefile:
        'test: tests/test_add.c tests/test_gap.c\n\t@mkdir -p build\n\t@for t in add gap; do gcc -Isrc -o build/$$t tests/test_$$t.c src/*.c && echo $$t && build/$$t || exit 1; done\n\n.PHONY: test\n',
    },
    'make test',
    `printf '#include <stdio.h>\\nint add(int, int);\\nint main(void){int a,b;const char*s="";while(scanf("%%d %%d",&a,&b)==2){printf("%%s%%d",s,add(a,b));s=" ";}return 0;}' > ask.c; gcc -Isrc -o ask ask.c src/*.c && printf '${pairs.join('\\n')}\\n' | ./ask`,
  ),
  perl: scene(
    perl,
    {},
    'prove -l t',
    `perl -Ilib -MAdd -e 'print join(" ", map { my ($x, $y) = split; add($x, $y) } @ARGV)' ${pairs.map(quoted).join(' ')}`,
  ),
  java: scene(
    java,
    {
      'ci.sh':
        'mkdir -p build\nfor t in it/*IT.java; do javac -d build src/*.java "$t" && java -cp build "$(basename "$t" .java)" || exit 1; done\n',
    },
    'sh ci.sh',
    'false',
  ),
  rust: scene(
    rust,
    {
      'Cargo.toml': cargoToml,
      'src/lib.rs': 'pub mod add;\npub mod gap;\n',
    },
    'cargo test --offline --tests',
    `mkdir -p examples; printf 'fn main() { println!("${pairs.map(() => '{}').join(' ')}", ${pairs.map((pair) => `calc::add::add(${pair.replace(' ', ', ')})`).join(', ')}) }' > examples/ask.rs; cargo run --offline -q --example ask`,
  ),
  go: scene(
    go,
    { 'go.mod': 'module calc\n\ngo 1.19\n' },
    'go test ./...',
    `mkdir -p ask; printf 'package main\\nimport ("fmt"; "calc")\\nfunc main() { fmt.Println(${pairs.map((pair) => `calc.Add(${pair.replace(' ', ', ')})`).join(', ')}) }' > ask/main.go; go run ./ask`,
  ),
};

function scene(writing: Writing, settings: Scene['files'], check: string, ask: string): Scene {
  const tests = [add, gap].map(
    (one) => [writing.testPath(one.name), writing.test(one, testedInputs)] as const,
  );
  return {
    files: {
      ...settings,
      ...Object.fromEntries(tests),
      [writing.path('add')]: writing.source('add', '0'),
      [writing.path('gap')]: writing.source('gap', gap.form),
      '.gitignore': 'build/\ntarget/\nCargo.lock\n__pycache__/\n*.local\n',
    },
    check,
    ask,
    solve: put(writing.path('add'), writing.source('add', add.form)),
  };
}

function nodeAsk(): string {
  const [, ...args] = languages.node.ask(['add']);
  return ['node', ...args].map(quoted).join(' ');
}

function pythonAsk(): string {
  return languages.python.ask(['add']).map(quoted).join(' ');
}

function shellAsk(): string {
  return languages.sh.ask(['add']).map(quoted).join(' ');
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
