// How checks run, and which results are reused.
import type { Fault } from '../fault.ts';

export const checkingFaults: readonly Fault[] = [
  {
    id: 'run-number-lost',
    breaks: 'A repeated check gets the same process ids in its namespace each time.',
    file: 'src/runtime/checks/run-checks.ts',
    symbol: 'runCheck',
    find: 'runNumber: number }',
    replace: 'runNumber: 1 }',
    test: {
      file: 'src/runtime/steps/perform-check.test.ts',
      title: 'A flaky check that turned green is found at the acceptance by repetition [K7]',
    },
  },
  {
    id: 'other-tree-proves',
    breaks: 'A check of another tree proves the work.',
    file: 'src/kernel/proof/proof.ts',
    symbol: 'gapsInProof',
    find: "if (evidence?.tree === tree && evidence.verdict === 'pass') continue;",
    replace: "if (evidence?.verdict === 'pass') continue;",
    test: {
      file: 'src/kernel/decide/acceptance.test.ts',
      title: 'A green check of another tree does not prove the tree that a session left [X3]',
    },
  },
  {
    id: 'unchanged-on-reviewers-word',
    breaks: 'A reviewer completes a run in which nothing was changed.',
    file: 'src/kernel/proof/proof-kind.ts',
    symbol: 'hasChanged',
    find: 'tip?.tree !== base?.tree && ',
    replace: '',
    test: {
      file: 'src/kernel/proof/proof.test.ts',
      title: "An unchanged tree does not complete on a reviewer's verdict [X7]",
    },
  },
  {
    id: 'fewer-tests-pass',
    breaks: 'An agent deletes the failing tests, and the rest passes.',
    file: 'src/runtime/checks/run-checks.ts',
    symbol: 'doubt',
    find: 'fewer === null || (await mayHaveFewerTests(step, run, world)) ? judged : fewer',
    replace:
      'fewer === null || world === undefined || step === undefined || run === undefined ? judged : judged',
    test: {
      file: 'src/runtime/steps/perform-check.test.ts',
      title:
        'A check that executes fewer tests than on the base does not pass, and the evidence names both numbers: %s [K7]',
    },
  },
  {
    id: 'check-on-dirty-files',
    breaks: 'A check runs on files that the session did not leave.',
    file: 'src/runtime/steps/perform-check.ts',
    symbol: 'openSite',
    find: 'await restoreFiles(step, world, emit);',
    replace: '',
    test: {
      file: 'src/runtime/steps/perform-check.test.ts',
      title: 'A check runs on the requested tree, whatever the workspace holds, and sets those files aside',
    },
  },
  {
    id: 'changed-by-check-forgiven',
    breaks: 'A check that edits sources is taken for one that only adds files.',
    file: 'src/runtime/checks/tree-after.ts',
    symbol: 'withoutAdditions',
    find: "changed.every((one) => one.status === 'added') ? tree : after",
    replace: 'changed.length < 0 ? after : tree',
    test: {
      file: 'src/runtime/steps/perform-check.test.ts',
      title: 'A check that changed its files says so, and files that it merely added are forgiven',
    },
  },
  {
    id: 'acceptance-reused',
    breaks: 'The acceptance takes over old results instead of running the checks.',
    file: 'src/runtime/checks/run-checks.ts',
    symbol: 'reusable',
    find: "purpose === 'acceptance' || ",
    replace: '',
    test: {
      file: 'src/runtime/steps/perform-check.test.ts',
      title: 'Evidence is never reused for the acceptance, which the driver must run itself',
    },
  },
  {
    id: 'reuse-other-conditions',
    breaks: 'A result is used again although the environment has changed.',
    file: 'src/runtime/checks/run-checks.ts',
    symbol: 'reusable',
    find: ' && earlier.conditions === conditions',
    replace: '',
    test: {
      file: 'src/runtime/steps/perform-check.test.ts',
      title: 'Evidence is not reused for another check or environment, nor where the environment is unknown',
    },
  },
  {
    id: 'reuse-other-tree',
    breaks: 'A result is used again for other files.',
    file: 'src/runtime/checks/run-checks.ts',
    symbol: 'reusable',
    find: 'earlier.tree === tree && ',
    replace: '',
    test: { file: 'src/runtime/steps/perform-check.test.ts', title: 'Evidence is not reused for %s' },
  },
  {
    id: 'checks-unlimited-beside',
    breaks: 'All checks run at once and fail for lack of memory.',
    file: 'src/runtime/checks/run-checks.ts',
    symbol: 'sideBySideMax',
    find: 'sideBySideMax = 4',
    replace: 'sideBySideMax = 400',
    test: {
      file: 'src/runtime/steps/perform-check.test.ts',
      title: 'Programs that allow it run beside each other, up to a small limit',
    },
  },
  {
    id: 'turned-green-not-confirmed',
    breaks: 'Work that is right by luck is accepted.',
    file: 'src/runtime/checks/confirm.ts',
    symbol: 'hasTurnedGreen',
    find: "return verdict === 'pass' &&",
    replace: "return verdict === 'fail' &&",
    test: {
      file: 'src/runtime/steps/perform-check.test.ts',
      title: 'A flaky check that turned green is found at the acceptance by repetition [K7]',
    },
  },
  {
    id: 'silence-believed',
    breaks: 'A test runner that was silenced passes.',
    file: 'src/runtime/checks/silent-runner.ts',
    symbol: 'doubtSilence',
    find: 'base?.ranTests === true',
    replace: 'false',
    test: {
      file: 'src/runtime/checks/silent-runner.test.ts',
      title: 'A check that reports no tests any more does not pass, whatever starts the runner: %s [K7]',
    },
  },
  {
    id: 'after-landing-unsaid',
    breaks: 'An acceptance does not say that the work brings a file which an editor runs.',
    file: 'src/runtime/steps/perform-check.ts',
    symbol: 'runsLater',
    find: "deed.purpose !== 'acceptance'",
    replace: "deed.purpose !== 'base'",
    test: {
      file: 'src/app/land/after-landing.test.ts',
      title:
        'The summary, the report and the state of a run name the files that run on the machine after landing [X13]',
    },
  },
  {
    id: 'reads-not-shown',
    breaks: 'A reviewer is not shown which changed files the checks read.',
    file: 'src/runtime/checks/base-reads.ts',
    symbol: 'changedReads',
    find: 'read.has(path) ?',
    replace: '!read.has(path) ?',
    test: {
      file: 'src/runtime/checks/base-reads.test.ts',
      title: 'A reviewer reads which of the changed files the checks read on the base, and no others [X8]',
    },
  },
  {
    id: 'file-name-is-test',
    breaks:
      'A work that ends the process on import passes: node:test reports the name of the file as a test.',
    file: 'src/analysis/ecosystems/javascript/test-lines.ts',
    symbol: 'javascriptLines',
    find: 'pattern: fileOnlyTest, counts: phantom',
    replace: 'pattern: fileOnlyTest, counts: none',
    test: {
      file: 'src/adapters/checkers/command-checker.test.ts',
      title: 'Tests are counted behind %s, and a file that registers none counts as no test [K7]${makeNote}',
    },
  },
  {
    id: 'tampering-not-told',
    breaks: 'A changed test does not appear in the tamper ledger.',
    file: 'src/runtime/checks/check-pins.ts',
    symbol: 'checkPins',
    find: '...changeFacts({ step, run, tree, all, brokenPins }), ',
    replace: '',
    test: {
      file: 'src/runtime/steps/perform-check.test.ts',
      title: 'Code that only resembles cheating is noted, and nothing is refused for it [X8]',
    },
  },
  {
    id: 'trial-changed-counts',
    breaks: 'A command of a reviewer that edits the files decides about them.',
    file: 'src/runtime/steps/perform-reproduce.ts',
    symbol: 'judge',
    find: 'if (hasChanged) return',
    replace: 'if (hasChanged && ending.kind === "cancelled") return',
    test: {
      file: 'test/reviewing/reproduce.test.ts',
      title:
        'A command of a blocker that edits the checked files reproduces nothing, and the next one sees the original files [Q10]',
    },
  },
  {
    id: 'held-out-in-builder-prompt',
    breaks: 'The builder reads the held-out check.',
    file: 'src/policies/prompts/builder-prompt.ts',
    symbol: 'listChecks',
    find: "&& criterion.check.kind !== 'held-out'",
    replace: '',
    test: {
      file: 'src/policies/prompts/held-out.test.ts',
      title: 'A held-out check is named in no prompt of a run by %s, also when it failed [X9]',
    },
  },
  {
    id: 'held-out-in-feedback',
    breaks: 'The builder reads the output of the held-out check.',
    file: 'src/policies/prompts/feedback.ts',
    symbol: 'failedChecks',
    find: "if (criterion.check.kind === 'held-out') return [];",
    replace: '',
    test: {
      file: 'src/policies/prompts/held-out.test.ts',
      title: 'A held-out check is named in no prompt of a run by %s, also when it failed [X9]',
    },
  },
  {
    id: 'held-out-in-reviewer-prompt',
    breaks: 'The reviewer reads the held-out check.',
    file: 'src/policies/prompts/reviewer-prompt.ts',
    symbol: 'listCriteria',
    find: " && one.check.kind !== 'held-out'",
    replace: '',
    test: {
      file: 'src/policies/prompts/held-out.test.ts',
      title: 'A held-out check is named in no prompt of a run by %s, also when it failed [X9]',
    },
  },
  {
    id: 'held-out-in-architect-prompt',
    breaks: 'The architect reads the held-out check.',
    file: 'src/policies/prompts/architect-prompt.ts',
    symbol: 'inFull',
    find: " && check.kind !== 'held-out'",
    replace: '',
    test: {
      file: 'src/policies/prompts/held-out.test.ts',
      title: 'A held-out check is named in no prompt of an architect that replans after it failed [X9] [C6]',
    },
  },
  {
    id: 'held-out-in-criteria-list',
    breaks: 'The list of criteria shows the held-out check.',
    file: 'src/policies/prompts/criteria-list.ts',
    symbol: 'listCriteria',
    find: " && criterion.check.kind !== 'held-out'",
    replace: '',
    test: {
      file: 'src/policies/prompts/held-out.test.ts',
      title: 'A held-out check is named in no prompt of a run by %s, also when it failed [X9]',
    },
  },
  {
    id: 'ssh-agent-visible',
    breaks: 'An agent in a sandbox signs with the keys of the user.',
    file: 'src/adapters/sandbox/desktop-variables.ts',
    symbol: 'desktopVariables',
    find: ' SSH_AUTH_SOCK',
    replace: '',
    test: {
      file: 'src/adapters/sandbox/desktop-variables.test.ts',
      title: 'No variable that leads to the desktop of the user or to its keys reaches a sandbox [C10]',
    },
  },
  {
    id: 'outdated-evidence',
    breaks: 'The result of a replaced check counts for the new check.',
    file: 'src/kernel/fold/apply.ts',
    symbol: 'keepEvidence',
    find: 'if (isOutdated(task, evidence)) return;',
    replace: '',
    test: {
      file: 'src/kernel/fold/criteria-change.test.ts',
      title: 'The result of an old check does not count for the new one, even while it runs',
    },
  },
  {
    id: 'cut-check-evidence-kept',
    breaks: 'The results of a check step that was cut off are used.',
    file: 'src/kernel/fold/apply-step.ts',
    symbol: 'applyStepLost',
    find: "if (task !== null && step.deed.kind === 'check') forgetEvidence(task, step.stepId, step.deed);",
    replace: '',
    test: {
      file: 'src/policies/loops/flaky-criterion.test.ts',
      title: 'A check that was cut off has no result: the files may have changed by its end',
    },
  },
  {
    id: 'outside-not-read-again',
    breaks: 'A check that changes the settings of its runner leaves passes that later attempts reuse.',
    file: 'src/runtime/checks/run-checks.ts',
    symbol: 'runChecks',
    find: 'context.signal.aborted || steeringOf(context) === steering',
    replace: 'context.signal.aborted || steering === steering',
    test: {
      file: 'src/runtime/steps/perform-check.test.ts',
      title:
        'A check that changes the files outside of the repository is noticed, and no evidence of its step is reused',
    },
  },
  {
    id: 'outside-still-trusted',
    breaks: 'A pass is reused although a check changed the settings of its runner.',
    file: 'src/kernel/fold/apply-step.ts',
    symbol: 'endCheck',
    find: 'if (result.isOutsideChanged === true) for (const each of run.tasks.values()) distrust(each, step);',
    replace: '',
    test: {
      file: 'src/runtime/steps/perform-check.test.ts',
      title:
        'A check that changes the files outside of the repository is noticed, and no evidence of its step is reused',
    },
  },
  {
    id: 'outside-ignored',
    breaks: 'A pass from before a change of the settings of its runner is reused.',
    file: 'src/runtime/checks/run-checks.ts',
    symbol: 'conditionsOf',
    find: "...(steering === '' ? [] : [steering])",
    replace: '',
    test: {
      file: 'src/runtime/steps/perform-check.test.ts',
      title:
        'A check that changes the files outside of the repository is noticed, and no evidence of its step is reused',
    },
  },
  {
    id: 'network-shared-beside',
    breaks: 'Two programs that run side by side get the same network.',
    file: 'src/adapters/sandbox/bubblewrap/shared-network.ts',
    symbol: 'openSharedNetwork',
    find: 'if (isClosed || isBusy) return null;',
    replace: 'if (isClosed) return null;',
    test: {
      file: 'src/adapters/sandbox/bubblewrap/shared-network.test.ts',
      title:
        'Programs that run one after the other join one network, and a program beside another one has its own [C10] [X18]',
    },
  },
  {
    id: 'network-not-renewed',
    breaks: 'A check finds the connections of the check before it.',
    file: 'src/adapters/sandbox/bubblewrap/network-holder.ts',
    symbol: 'startNetworkHolder',
    find: ' && tracesIn(joined.pid) === joined.traces',
    replace: '',
    test: {
      file: 'src/adapters/sandbox/bubblewrap/shared-network.test.ts',
      title: 'A network is not used again if a program left a connection in it [C10]',
    },
  },
  {
    id: 'inherited-files-kept',
    breaks: 'A check gets a folder that a terminal left open, and reads what the sandbox hides.',
    file: 'src/adapters/processes/start-process.ts',
    symbol: 'spawnWith',
    find: 'keepsFilesAway ? ',
    replace: 'process.pid < 0 ? ',
    test: {
      file: 'src/adapters/sandbox/bubblewrap/shared-network.test.ts',
      title:
        'A program and the process that keeps its network end when their driver is killed, and a program gets no file that the starter of the driver left open [C10] [X11]',
    },
  },
];
