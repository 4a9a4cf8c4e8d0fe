import { describe, expect, it } from 'vitest';
import { isTest, scenarioFiles } from './test-names.ts';

describe('test files by default names', () => {
  it.each([
    ['Django', 'polls/tests.py'],
    ['Django in an app folder', 'app/polls/tests.py'],
    ['pytest', 'pkg/sum_test.py'],
    ['pytest with Django', 'pkg/sum_tests.py'],
    ['Surefire', 'core/TestSum.java'],
    ['Surefire', 'src/SumTestCase.java'],
    ['Ant, without a folder for tests', 'src/a/TestSum.java'],
    ['Surefire', 'src/test/java/a/Sum.java'],
    ['Failsafe', 'core/SumIT.java'],
    ['node:test', 'sum-test.mjs'],
    ['node:test', 'sum_test.cjs'],
    ['node:test', 'checks/test-sum.js'],
    ['node:test', 'packages/a/test.js'],
    ['node:test in TypeScript', 'sum-test.ts'],
    ['Deno', 'sum_test.ts'],
    ['Deno', 'test.tsx'],
    ['make and C', 'test.c'],
    ['make and C', 'sum_test.c'],
    ['make and C', 'test-sum.c'],
    ['make and C', 'test_sum.c'],
    ['dune', 'test_sum.ml'],
    ['dune', 'sum_test.ml'],
    ['googletest', 'base/sum_unittest.cc'],
    ['googletest', 'base/sum_test.cc'],
    ['prove', 't/sum.t'],
    ['prove', 'xt/author/pod.t'],
    ['prove, a library of the tests', 't/lib/Own.pm'],
    ['bats', 'checks/sum.bats'],
    ['Cucumber', 'features/sum.feature'],
    ['insta', 'src/snapshots/sum.snap'],
    ['ApprovalTests', 'core/Sum.returns3.approved.txt'],
    ['Verify', 'core/Sum.returns3.verified.json'],
    ['Cypress components', 'web/Button.cy.ts'],
    ['Nest', 'web/app.e2e-spec.ts'],
    ['Protractor', 'web/app.e2e.ts'],
    ['a folder', 'integration-tests/sum.js'],
    ['a folder', 'integration_tests/sum.py'],
    ['a folder', 'testing/sum.py'],
    ['DejaGnu', 'gcc/testsuite/sum.exp'],
    ['.NET', 'App.Tests/Sum.cs'],
    ['.NET', 'src/App.IntegrationTests/Sum.cs'],
    ['SwiftPM', 'Tests/AppTests/Sum.swift'],
    ['Common Test', 'apps/a/sum_SUITE.erl'],
    ['EUnit', 'apps/a/sum_tests.erl'],
    ['RSpec', 'spec_helper.rb'],
    ['ExUnit', 'apps/a/test_helper.exs'],
    ['Pester', 'Sum.Tests.ps1'],
    ['Playwright snapshots', 'web/a.spec.ts-snapshots/home.png'],
    ['Rust, the tests of a module in a file of their own', 'src/sum/tests.rs'],
    ['shell', 'sum_test.sh'],
    ['shell', 'test.sh'],
  ])('A file that a runner takes by default is a test by its name: %s, %s [X8]', (_, path) => {
    expect(isTest(path)).toBe(true);
  });

  it.each([
    'latest.js',
    'src/latest.js',
    'contest.py',
    'attest.go',
    'greatest.c',
    'protest.ts',
    'src/testing/render.ts',
    'pkg/click/testing.py',
    'packages/core/testing/bed.ts',
    'packages/test-utils/index.ts',
    'src/test-utils.ts',
    'test-utils.ts',
    'src/features/cart/index.ts',
    'features/support/ticket.ts',
    'src/features/steps/counter.ts',
    'src/commands/test.ts',
    'commands/test.js',
    'src/ab-test.ts',
    'src/main/java/lab/TestResult.java',
    'src/main/java/lab/BloodTest.java',
    'core/ITDepartment.java',
    'core/Credit.java',
    'src/components/LabTests/index.tsx',
    'docs/test-plan.md',
    'train/test.py',
    'src/t/en.ts',
    'suite.go',
    'Lib/unittest/case.py',
    'src/testsuite/model.py',
    'snapshots.ts',
    'approved.json',
    'testify.go',
    'Manifest.swift',
    'src/protests/list.ts',
    'src/contests/index.ts',
  ])('A file is product code by its name: %s [X8]', (path) => {
    expect(isTest(path)).toBe(false);
  });
});

describe('feature folders', () => {
  it('Cucumber scenarios bring their step definitions and support files with them [X8]', () => {
    const paths = ['features/a.feature', 'features/steps/a.py', 'features/environment.py', 'src/a.py'];
    expect(scenarioFiles(paths)).toEqual(paths.slice(0, 3));
  });

  it('A folder of features without a scenario is product code [X8]', () => {
    expect(scenarioFiles(['features/cart/a.ts', 'src/features/a.ts', 'docs/a.feature'])).toEqual([]);
  });
});
