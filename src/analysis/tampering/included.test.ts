// Files that a check includes if they exist: make targets, includes, programs, Python modules.
import { describe, expect, it } from 'vitest';
import { fileTargets, makeGoals, optionalIncludes } from './make-targets.ts';
import { optionalFiles, programFolders } from './optional-files.ts';
import {
  importRootOf,
  isPythonsOwn,
  pathFolders,
  pythonModule,
} from '#analysis/ecosystems/python/modules.ts';

describe('make targets', () => {
  const recipe = [
    'TESTS = unit $(MORE)',
    'MORE := lint',
    '.PHONY: all lint',
    'all: check',
    'check: $(TESTS) sum_test',
    '\t./sum_test',
    'unit:',
    '\tnode --test',
    'lint:',
    '\teslint .',
    'sum_test: sum.c \\',
    '  sum_test.c',
    '\tcc -o $@ $^',
    'other:',
    '\ttrue',
    '',
  ].join('\n');

  it('A non-phony target on the way to the goal could count as up to date [X8]', () => {
    expect(fileTargets(recipe, ['check'])).toEqual(['check', 'unit', 'sum_test']);
    expect(fileTargets(recipe, [''])).toEqual(['check', 'unit', 'sum_test']);
    expect(fileTargets(recipe, ['lint'])).toEqual([]);
    expect(fileTargets('.PHONY: check\ncheck: ; true\n', ['check'])).toEqual([]);
    expect(fileTargets('A := b\ncheck: ; true\n', ['check'])).toEqual(['check']);
  });

  it('The goals of make are the words of a call that are neither flags nor assignments [X8]', () => {
    expect(makeGoals('make -C sub CI=1 check lint && echo done')).toEqual(['check', 'lint']);
    expect(makeGoals('make -j 4')).toEqual(['']);
    expect(makeGoals('\t$(MAKE) unit')).toEqual(['unit']);
    expect(makeGoals('cmake --build .')).toEqual([]);
  });

  it('An include that may be missing is a file that may be added [X8]', () => {
    const text = '-include local.mk $(DEPS)\nsinclude a.mk\ninclude rules.mk\ninclude $(wildcard mk/*.mk)\n';
    expect(optionalIncludes(text)).toEqual(['local.mk', 'a.mk', 'mk/*.mk']);
  });
});

describe('optional files of scripts', () => {
  it.each([
    ['[ -f ./local.sh ] && . ./local.sh', ['local.sh']],
    ['if [ -r "$DIR/env.sh" ]; then source "$DIR/env.sh"; fi', ['env.sh']],
    ['test -x hooks/pre && hooks/pre', ['hooks/pre']],
    ['. ./maybe.sh 2>/dev/null || true', ['maybe.sh']],
    ['node --env-file-if-exists=.env --test', ['.env']],
    ['. ./work.sh', []],
    ['[ -f out.txt ] || exit 1', []],
    ['[ -f /etc/profile ] && . /etc/profile', []],
  ])('The script %s uses these files if they exist: %j [X8]', (text, names) => {
    expect(optionalFiles(text)).toEqual(names);
  });

  it('Repository folders on the PATH are recognised [X8]', () => {
    expect(programFolders('PATH="$PWD/tools:$PATH" npm test')).toEqual(['tools']);
    expect(programFolders('export PATH=./bin:/usr/bin')).toEqual(['bin']);
    expect(programFolders('GOPATH=x MY_PATH=y go test')).toEqual([]);
  });
});

describe('Python modules', () => {
  it('A Python file is a module of its own import root, and of no other [X8]', () => {
    expect(pythonModule('types.py')).toBe('types');
    expect(pythonModule('json/__init__.py')).toBe('json');
    expect(pythonModule('json.cpython-312-x86_64-linux-gnu.so')).toBe('json');
    expect(pythonModule('pkg/types.py')).toBeNull();
    expect(['types', 'pytest', 'test', 'calculator'].map(isPythonsOwn)).toEqual([true, true, false, false]);
  });

  it('The import root of pytest is the first folder above a test that is no package [X8]', () => {
    const files = new Set(['pkg/__init__.py', 'pkg/tests/__init__.py']);
    const has = (path: string): boolean => files.has(path);
    expect(importRootOf('pkg/tests/test_a.py', has)).toBe('');
    expect(importRootOf('tests/unit/test_a.py', has)).toBe('tests/unit');
  });

  it('A command names further import roots [X8]', () => {
    expect(pathFolders('PYTHONPATH=src:$PWD/lib pytest -q')).toEqual(['src', 'lib']);
    expect(pathFolders('pythonpath = ["src", "more"]')).toEqual(['src', 'more']);
    expect(pathFolders('python3 tools/check.py')).toEqual(['tools']);
  });
});
