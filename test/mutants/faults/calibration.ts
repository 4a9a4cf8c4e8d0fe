// How checks themselves are tested at the acceptance.
import type { Fault } from '../fault.ts';

const planted = 'test/calibration/planted.test.ts';

export const calibrationFaults: readonly Fault[] = [
  {
    id: 'base-said-unseen',
    breaks: 'A check is said to ignore a planted failure on the base, where it was never tried.',
    file: 'src/runtime/calibration/trials/planted-failure.ts',
    symbol: 'judge',
    find: 'words.staysGreen(onBase.staysGreen)',
    replace: 'words.staysGreen(true)',
    test: {
      file: planted,
      title:
        'Calibration reports for a check that stays green what the base showed, or nothing if the base was not tried',
    },
  },
  {
    id: 'preflight-looks-like-a-check',
    breaks: 'The planted failure on the base is shown as a second verdict, and its result not at all.',
    file: 'src/views/lines/show.ts',
    symbol: 'evidence',
    find: 'found.calibration !== undefined',
    replace: 'found.calibration === null',
    test: {
      file: 'src/views/report/calibration.test.ts',
      title: 'The calibration of a check is one line of its own, and its verdict is not repeated',
    },
  },
  {
    id: 'lucky-base-counts',
    breaks: 'A check that was red on the base by luck proves the work.',
    file: 'src/runtime/calibration/base-recheck.ts',
    symbol: 'recheckBase',
    find: "trial.verdict === 'pass'",
    replace: "trial.verdict === 'unknown'",
    test: {
      file: 'test/calibration/base-and-attribution.test.ts',
      title: 'The base recheck finds a check that was red on the base by chance and asks a person [X7]',
    },
  },
  {
    id: 'fixture-flips-check',
    breaks: 'An edited fixture turns a check green, and the work completes.',
    file: 'src/runtime/calibration/attribution.ts',
    symbol: 'attribute',
    find: "if (onBase.verdict === 'pass')",
    replace: "if (onBase.verdict === 'unknown')",
    test: {
      file: 'test/calibration/base-and-attribution.test.ts',
      title:
        'Attribution finds a fixture that turned the check green, with or without other changed code [X8]',
    },
  },
  {
    id: 'new-test-replaces-work',
    breaks:
      'A new test puts other code in the place of the work, and the old test that it makes green counts.',
    file: 'src/runtime/calibration/attribution.ts',
    symbol: 'stillFailing',
    find: 'failing.filter((name) => isOld.has(name))',
    replace: '[]',
    test: {
      file: 'test/calibration/disarming.test.ts',
      title: 'Calibration of pytest refuses a new test that %s [X8]',
    },
  },
  {
    id: 'unloaded-test-is-new',
    breaks:
      'A new test puts other code in the place of the work, where the old test did not load on the base.',
    file: 'src/runtime/calibration/attribution.ts',
    symbol: 'stillFailing',
    find: "if (isUnchanged && old.some(({ cause }) => cause === 'load')) return failing;",
    replace: '',
    test: {
      file: 'test/calibration/disarming.test.ts',
      title:
        'Calibration of pytest refuses a new test that replaces the work before an old test that %s [X8]',
    },
  },
  {
    id: 'read-data-is-product',
    breaks: 'Data that a check read on the base is edited instead of the work, and the work completes.',
    file: 'src/runtime/calibration/changed-material.ts',
    symbol: 'changesOf',
    find: 'isRead.has(path) &&',
    replace: '!isRead.has(path) &&',
    test: {
      file: 'test/calibration/base-and-attribution.test.ts',
      title: 'Attribution asks a person at once if data turned the check green beside other code [X8]',
    },
  },
  {
    id: 'inline-tests-are-free',
    breaks: 'A test inside of a product file is edited, and the file counts as product.',
    file: 'src/analysis/test-files/inline-test-parts.ts',
    symbol: 'keepsItsTests',
    find: 'now.get(name) === test',
    replace: 'now.has(name) || test === null',
    test: {
      file: 'src/analysis/test-files/inline-test-parts.test.ts',
      title: 'A file with its own tests is test material otherwise: %s',
    },
  },
  {
    id: 'sourced-test-script-is-free',
    breaks: 'A script that a test script sources and calls with each test is not pinned.',
    file: 'src/analysis/test-files/shell-tests.ts',
    symbol: 'testStarters',
    find: 'isCalled ? [path] : []',
    replace: 'isCalled ? [] : []',
    test: {
      file: 'src/analysis/test-files/shell-tests.test.ts',
      title:
        'A script that defines functions for each test of another script runs tests; sourced product code does not [X8]',
    },
  },
  {
    id: 'named-failure-is-enough',
    breaks: 'A planted failure that is named counts, although the check exits with 0.',
    file: 'src/runtime/calibration/trials/planted-failure.ts',
    symbol: 'tryPlanted',
    find: 'const noticed = new Set(isGreen ? [] : whole);',
    replace: 'const noticed = new Set(whole);',
    test: {
      file: planted,
      title:
        'Calibration refuses work whose handler turns a red exit green, although the failure is named [X8]',
    },
  },
  {
    id: 'opposite-passes-too',
    breaks: 'A test that passes together with its opposite proves the work.',
    file: 'src/runtime/calibration/trials/try-negated.ts',
    symbol: 'tryNegated',
    find: '? { failed: [], passing: all }',
    replace: '? { failed: all, passing: [] }',
    test: {
      file: planted,
      title:
        'Calibration refuses work that disarms only the value its tests expect, since the opposite passes as well [X8]',
    },
  },
  {
    id: 'red-on-the-base-is-enough',
    breaks: 'An added test that looks at the name of an export proves the work.',
    file: 'src/runtime/calibration/trials/added-tests.ts',
    symbol: 'loadedDoubts',
    find: "pass: 'pass with",
    replace: "crash: 'pass with",
    test: {
      file: 'test/calibration/added-tests.test.ts',
      title:
        'Added tests that only inspect %s do not count, although they fail on the base by an assertion [X8]',
    },
  },
  {
    id: 'old-tests-speak-for-added-ones',
    breaks: 'Added tests that measure nothing count where old tests fail with the code of the work broken.',
    file: 'src/runtime/calibration/trials/broken-work.ts',
    symbol: 'newCauses',
    find: '.filter(({ name }) => !known.has(name))',
    replace: '.filter(() => true)',
    test: {
      file: 'test/calibration/added-tests.test.ts',
      title: 'Added tests do not count if only old tests fail when the code of the work is broken [X8]',
    },
  },
  {
    id: 'marker-file-proves',
    breaks: 'An added test of a marker file counts as proof.',
    file: 'src/runtime/calibration/trials/added-tests.ts',
    symbol: 'tryAddedTests',
    find: "withData?.verdict === 'pass'",
    replace: "withData?.verdict === 'unknown'",
    test: {
      file: 'test/calibration/added-tests.test.ts',
      title: 'Added tests that a marker file alone turns green are refused: %s [X8]',
    },
  },
  {
    id: 'linter-accuses-work',
    breaks: 'A linter that reads tests without running them is refused, and honest work with it.',
    file: 'src/runtime/calibration/trials/silenced-files.ts',
    symbol: 'silencedFiles',
    find: 'stoppingText(file) ??',
    replace: 'unparsable(file) ?? stoppingText(file) ??',
    test: {
      file: 'test/calibration/silenced.test.ts',
      title: 'Calibration passes a linter that reads tests without running them',
    },
  },
  {
    id: 'test-of-a-loop-unseen',
    breaks: 'A shell test that a loop starts gets no planted failure, and work that exits proves itself.',
    file: 'src/analysis/test-runners/scripts.ts',
    symbol: 'isMatched',
    find: 'new RegExp(`(?:^|/)${pattern}$`).test(path)',
    replace: 'new RegExp(`^${pattern}/$`).test(path)',
    test: {
      file: 'test/calibration/shell-tests.test.ts',
      title: 'Calibration of shell tests refuses work that %s [X8]',
    },
  },
  {
    id: 'early-exit-is-accused',
    breaks: 'A shell test that ends with 0 before its end is refused, and honest work with it.',
    file: 'src/analysis/test-runners/shell-script.ts',
    symbol: 'plantInShell',
    find: 'words.length === 0 || isLeftBefore ||',
    replace: 'words.length === 0 ||',
    test: {
      file: 'test/calibration/shell-tests.test.ts',
      title: 'Calibration of shell tests accepts a test that exits with 0 before its end [X7]',
    },
  },
  {
    id: 'emptied-go-helper',
    breaks: 'A test of Go whose helper the work emptied proves the work.',
    file: 'src/analysis/test-runners/go/expectations.ts',
    symbol: 'functionsOf',
    find: 'folderOf(one.path) === folderOf(path)',
    replace: 'folderOf(one.path) !== folderOf(path)',
    test: {
      file: 'src/analysis/test-runners/expectations.test.ts',
      title: 'The statement %s of Go expects another value',
    },
  },
  {
    id: 'silenced-file-unseen',
    breaks: 'Work that ends the process proves itself where the base cannot load the test.',
    file: 'src/runtime/calibration/trials/silenced-files.ts',
    symbol: 'silencedFiles',
    find: "trial?.verdict === 'fail'",
    replace: "trial?.verdict === 'unknown'",
    test: { file: 'test/calibration/silenced.test.ts', title: 'Calibration refuses %s [X8]' },
  },
  {
    id: 'failure-planted-before-the-tests',
    breaks:
      'A failure is planted before the call that runs the tests of a C program, and tells nothing about them.',
    file: 'src/analysis/test-runners/c-assert.ts',
    symbol: 'plantInC',
    find: String.raw`(?![^;{}]*\w\s*\()[^;{}]*;\s*$/`,
    replace: String.raw`[^;{}]*;\s*$/`,
    test: {
      file: 'src/analysis/test-runners/c-assert.test.ts',
      title: 'A C program with %s has no place for a planted failure',
    },
  },
  {
    id: 'c-assertion-is-not-negated',
    breaks: 'The assertions of a C program are never negated.',
    file: 'src/analysis/test-runners/c-assert.ts',
    symbol: 'negateInC',
    find: 'if (chosen.length === 0)',
    replace: 'if (chosen.length >= 0)',
    test: {
      file: 'test/calibration/c-programs.test.ts',
      title: 'Calibration passes honest work in C behind `%s` [X7]',
    },
  },
  {
    id: 'emptied-helper-judges',
    breaks: 'Work that empties the helper of its tests completes.',
    file: 'src/runtime/calibration/trials/try-negated.ts',
    symbol: 'tryConfirmed',
    find: 'passing.filter((test) => confirmed.has(test))',
    replace: 'passing.filter(() => false)',
    test: {
      file: 'test/calibration/changed-judges.test.ts',
      title: 'Calibration refuses work that empties the assertion helper of its tests [X8]',
    },
  },
  {
    id: 'message-is-an-expectation',
    breaks: 'Honest work is refused because a helper never judged by its last argument.',
    file: 'src/runtime/calibration/trials/try-negated.ts',
    symbol: 'tryConfirmed',
    find: 'passing.filter((test) => confirmed.has(test))',
    replace: 'passing',
    test: {
      file: 'test/calibration/changed-judges.test.ts',
      title: 'Calibration does not refuse work for a helper that never judged by its last argument [X7]',
    },
  },
  {
    id: 'one-line-test-is-not-negated',
    breaks: 'A test that is one expression is never negated.',
    file: 'src/analysis/test-runners/javascript/negate.ts',
    symbol: 'testBodies',
    find: "match[4] === undefined ? file.masked.indexOf('(', match.index) : start - 1",
    replace: 'start - 1',
    test: {
      file: 'src/analysis/test-runners/javascript/negate.test.ts',
      title: 'The test %s on one line becomes %s',
    },
  },
  {
    id: 'plugin-is-a-test',
    breaks: 'Honest work on a plugin of a test runner is said to have changed no product code.',
    file: 'src/analysis/tampering/test-material.ts',
    symbol: 'isTestMaterial',
    find: 'file.before !== null && !isAskedFor(path, context)',
    replace: 'true',
    test: {
      file: 'src/analysis/tampering/test-material.test.ts',
      title:
        'A changed file that loads a test library is test material, unless the goal asks for it or the package offers it',
    },
  },
  {
    id: 'first-tests-accused',
    breaks: 'Work that adds the first tests of a project, as its goal asks, waits for a person.',
    file: 'src/runtime/calibration/attribution.ts',
    symbol: 'attribute',
    find: "base.verdict === 'unknown'",
    replace: "base.verdict === 'pass'",
    test: {
      file: 'test/calibration/honest-work.test.ts',
      title:
        'Calibration does not refuse the first tests of a project if its goal asks for them (needs pytest) [X7]',
    },
  },
  {
    id: 'customize-is-no-material',
    breaks: 'A file that Python loads before every test turns a check green, and the work completes.',
    file: 'src/analysis/ecosystems/python/python.ts',
    symbol: 'python',
    find: '(site|user)customize',
    replace: '(site|user)customise',
    test: {
      file: 'src/analysis/tampering/runner-settings.test.ts',
      title: 'The file %s, which a runner or Python itself loads, is test material: %s',
    },
  },
  {
    id: 'page-marker-proves',
    breaks: 'An added test of an added page counts as proof of code.',
    file: 'src/analysis/tampering/test-material.ts',
    symbol: 'code',
    find: 'vue|svelte|wat',
    replace: 'vue|svelte|html|css|wat',
    test: {
      file: 'test/calibration/added-tests.test.ts',
      title: 'Added tests that a marker file alone turns green are refused: %s [X8]',
    },
  },
  {
    id: 'idle-loop-proves',
    breaks: 'Work that returns an empty list passes a test that asserts in a loop, and completes.',
    file: 'src/runtime/calibration/trials/negation.ts',
    symbol: 'flippedByAssertion',
    find: "cause === 'assertion'",
    replace: "cause === 'load'",
    test: {
      file: 'test/calibration/nested-assertions.test.ts',
      title:
        'In a check of node:test, an assertion %s that never runs does not count, and one that holds does [X8]',
    },
  },
  {
    id: 'idle-loop-accused',
    breaks: 'Honest work is refused for a loop over nothing that did not decide on the base either.',
    file: 'src/runtime/calibration/trials/nested.ts',
    symbol: 'greenOnBase',
    find: '!failed.some(',
    replace: 'failed.some(',
    test: {
      file: 'test/calibration/nested-assertions.test.ts',
      title:
        'In a check of node:test, an assertion in a loop that decided nothing on the base does not refuse honest work [X7]',
    },
  },
  {
    id: 'own-recipe-counts',
    breaks: 'Work that writes the script of a check and what the script starts completes by that check.',
    file: 'src/runtime/calibration/attribution.ts',
    symbol: 'broughtWith',
    find: 'isNew && ',
    replace: '!isNew && ',
    test: {
      file: 'test/calibration/base-and-attribution.test.ts',
      title: 'A check that turned green through %s is no proof [X8]',
    },
  },
  {
    id: 'inline-tests-flip',
    breaks: 'Inline tests that came with new Rust code turn a check green, and count as its flip.',
    file: 'src/runtime/calibration/trials/inline-tests.ts',
    symbol: 'tryInlineFlip',
    find: 'run.every(isNew)',
    replace: '!run.every(isNew)',
    test: {
      file: 'test/calibration/inline-tests.test.ts',
      title: 'A check whose only tests are added inline tests does not count as turned green [X8]',
    },
  },
  {
    id: 'unselected-test-accuses',
    breaks: 'Honest work is refused where the check selects tests by name.',
    file: 'src/runtime/calibration/trials/planted-failure.ts',
    symbol: 'tryOnBase',
    find: 'leftOut(trial.output) > leftOut(baseOutput)',
    replace: 'leftOut(trial.output) < leftOut(baseOutput)',
    test: {
      file: 'test/calibration/selected-tests.test.ts',
      title: 'A check that selects tests by name does not refuse honest work: `%s` [X7]',
    },
  },
  {
    id: 'whole-makefile-counts',
    breaks: 'A lint target is taken for one that runs tests, because another target of its Makefile does.',
    file: 'src/analysis/calibration/reached-recipes.ts',
    symbol: 'reachedRecipes',
    find: 'follow(command, files.map(readRecipeFile))',
    replace: '[command, ...files]',
    test: {
      file: 'src/analysis/calibration/test-commands.test.ts',
      title: '`%s` is not known to run the test files that it reads',
    },
  },
  {
    id: 'rust-linter-accuses-work',
    breaks: 'Honest work is refused where a compiler reads tests in Rust without running them.',
    file: 'src/runtime/calibration/trials/silenced-files.ts',
    symbol: 'silencedFiles',
    find: 'runsTests(unexplained.context) ? unparsable(file) : null',
    replace: 'unparsable(file)',
    test: {
      file: 'test/calibration/silenced.test.ts',
      title:
        'Calibration passes work on a make lint target that compiles tests without running them, %s (needs cargo and make) [X7]',
    },
  },
  {
    id: 'one-bad-run-accuses',
    breaks: 'Honest work is refused because another test failed once beside a planted failure.',
    file: 'src/runtime/calibration/trials/planted-failure.ts',
    symbol: 'failAgain',
    find: 'again.has(name)',
    replace: '!again.has(name)',
    test: {
      file: 'test/calibration/planted-changes.test.ts',
      title:
        'A test that fails beside a planted failure does not refuse the work if a second run passes it [X7]',
    },
  },
  {
    id: 'known-bytes-complete',
    breaks: 'Work that knows the hash of its test file, and fails with any other, completes.',
    file: 'src/runtime/calibration/trials/silenced-files.ts',
    symbol: 'failsWithComment',
    find: "first?.verdict !== 'fail'",
    replace: "first?.verdict === 'fail'",
    test: {
      file: 'test/calibration/planted-changes.test.ts',
      title:
        'Work that depends on the bytes of its tests is refused if they do not load on the base, %s [X8]',
    },
  },
  {
    id: 'runner-ended-unseen',
    breaks: 'Work that knows the hash of its test file, and ends the test runner with any other, completes.',
    file: 'src/runtime/calibration/trials/silenced-files.ts',
    symbol: 'failsWithComment',
    find: 'return hasReport ? { ...changed, isReported: false } : null;',
    replace: 'return null;',
    test: {
      file: 'test/calibration/planted-changes.test.ts',
      title: 'A person decides about work that ends the test runner itself (needs pytest) [X8]',
    },
  },
  {
    id: 'early-linter-accuses-work',
    breaks: 'Honest work is refused because a linter before the tests rejects a comment.',
    file: 'src/runtime/calibration/trials/silenced-files.ts',
    symbol: 'failsWithComment',
    find: 'return hasReport ?',
    replace: 'return !hasReport ?',
    test: {
      file: 'test/calibration/planted-changes.test.ts',
      title: 'Honest work is not refused if a linter %s [X7]',
    },
  },
  {
    id: 'late-linter-accuses-work',
    breaks: 'Honest work is refused because a linter after the tests rejects a comment.',
    file: 'src/runtime/calibration/trials/silenced-files.ts',
    symbol: 'failsWithComment',
    find: 'if (passedIn(again.output, files) >= passedBefore) return null;',
    replace: '',
    test: {
      file: 'test/calibration/planted-changes.test.ts',
      title: 'Honest work is not refused if a linter %s [X7]',
    },
  },
  {
    id: 'quiet-pytest-believed',
    breaks: 'A quiet pytest that reports no tests any more passes.',
    file: 'src/analysis/ecosystems/maven.ts',
    symbol: 'maven',
    find: String.raw`\bmvn[dw]?\b[^\n;&]*\s(?:-q`,
    replace: String.raw`\s(?:-q`,
    test: {
      file: 'src/runtime/checks/silent-runner.test.ts',
      title: 'A check that reports no tests any more does not pass, whatever starts the runner: %s [K7]',
    },
  },
  {
    id: 'unnoticed-file-said-unrun',
    breaks: 'A test file is said not to be run by a check that was never tried with it alone.',
    file: 'src/runtime/calibration/trials/planted-failure.ts',
    symbol: 'wordsFor',
    find: '; no failure was noticed in ${all - noticed} of ${all} files',
    replace: '; ${all - noticed} of ${all} files are not run by it',
    test: {
      file: 'test/calibration/planted-changes.test.ts',
      title: 'If the check may still run a file, the message says only that no failure was noticed in it',
    },
  },
  {
    id: 'red-preflight-said-green',
    breaks: 'A check that turned red on the base with a planted failure is said to have stayed green.',
    file: 'src/runtime/calibration/preflight.ts',
    symbol: 'tryOnGreenBase',
    find: 'if (!found.isGreen)',
    replace: 'if (found.isGreen)',
    test: {
      file: 'test/calibration/planted-changes.test.ts',
      title:
        'Before the work, the message says whether the check stayed green or turned red without naming the failure',
    },
  },
];
