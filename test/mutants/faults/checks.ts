// Checks, environments and redaction.
import type { Fault } from '../fault.ts';

export const checksFaults: readonly Fault[] = [
  {
    id: 'signalled-check-unknown',
    breaks: 'A check that was killed by a signal decides nothing instead of failing.',
    file: 'src/adapters/checkers/judge.ts',
    symbol: 'judge',
    find: "case 'signalled':\n      return { verdict: 'fail'",
    replace: "case 'signalled':\n      return { verdict: 'unknown'",
    test: {
      file: 'src/adapters/checkers/command-checker.test.ts',
      title: 'A program killed by a signal fails its check',
    },
  },
  {
    id: 'timeout-passes',
    breaks: 'A check that hangs passes.',
    file: 'src/adapters/checkers/judge.ts',
    symbol: 'judge',
    find: "return { verdict: 'fail', reason: `timed out",
    replace: "return { verdict: 'pass', reason: `timed out",
    test: {
      file: 'src/adapters/checkers/command-checker.test.ts',
      title: 'A program that takes too long fails its check, and the reason names the limit',
    },
  },
  {
    id: 'zero-tests-pass',
    breaks: 'A test command that runs no test passes.',
    file: 'src/adapters/checkers/judge.ts',
    symbol: 'judgeSuccess',
    find: "if (tests.kind === 'none')",
    replace: "if (tests.kind === 'some' && isDistinctiveName === null)",
    test: {
      file: 'src/adapters/checkers/command-checker.test.ts',
      title:
        'A check that runs zero tests is unknown, also behind npm test; one that runs a real test passes [K7]',
    },
  },
  {
    id: 'red-without-name',
    breaks: 'A planted failure counts as named when its id is printed but no test is reported as failed.',
    file: 'src/analysis/test-runners/reports.ts',
    symbol: 'isNamed',
    find: 'report.failed.some(({ name }) => name.includes(test)) && output.includes(id)',
    replace: '(report.failed.some(({ name }) => name.includes(test)) || output.includes(id))',
    test: {
      file: 'src/analysis/test-runners/reports.test.ts',
      title: 'A planted failure is named only if its test is reported as failed and its assertion ran',
    },
  },
  {
    id: 'negates-inside-branches',
    breaks: 'An assertion inside a block, which may not run, is negated.',
    file: 'src/analysis/test-runners/javascript/negate.ts',
    symbol: 'editsOf',
    find: 'depth === 0 && after === 0',
    replace: 'depth === after',
    test: {
      file: 'src/analysis/test-runners/javascript/negate.test.ts',
      title: 'An assertion in %s is not negated',
    },
  },
  {
    id: 'pipe-hides',
    breaks: 'A failure behind a pipe passes.',
    file: 'src/adapters/checkers/judge.ts',
    symbol: 'judgeSuccess',
    find: 'if (!isDistinctiveName)',
    replace: 'if (isDistinctiveName === null)',
    test: {
      file: 'src/adapters/checkers/command-checker.test.ts',
      title: 'Exit 0 behind a pipe without bash is unknown [K7]',
    },
  },
  {
    id: 'cancelled-check-passes',
    breaks: 'A check that we cancelled passes.',
    file: 'src/adapters/checkers/judge.ts',
    symbol: 'judge',
    find: "return { verdict: 'unknown', reason: describeProcessEnding(ending) };",
    replace: "return { verdict: 'pass', reason: describeProcessEnding(ending) };",
    test: {
      file: 'src/adapters/checkers/command-checker.test.ts',
      title: 'A cancelled check is unknown, before and while it runs',
    },
  },
  {
    id: 'file-outside',
    breaks: 'A file check follows a link out of the checkout.',
    file: 'src/adapters/files/confined-file.ts',
    symbol: 'strayLink',
    find: "if (!isWithin(real, top)) return 'is a link that leads out of the checkout';",
    replace: '',
    test: {
      file: 'src/adapters/checkers/file-checker.test.ts',
      title: 'A file check follows no link out of the checkout, and no broken link',
    },
  },
  {
    id: 'file-too-large',
    breaks: 'A huge file is read into memory.',
    file: 'src/adapters/files/confined-file.ts',
    symbol: 'readConfined',
    find: 'if (stat.size > bytesMax) return',
    replace: 'if (stat.size < 0) return',
    test: {
      file: 'src/adapters/checkers/file-checker.test.ts',
      title: 'A file check does not read a huge file, and says so',
    },
  },
  {
    id: 'env-everything',
    breaks: 'Agents and checks see every secret of our environment.',
    file: 'src/config/agents/agent-env.ts',
    symbol: 'allowedEnvironment',
    find: 'if (isBase(name)) result',
    replace: 'result',
    test: {
      file: 'src/config/config.test.ts',
      title: 'An agent gets the base variables and its own keys, never the whole environment [B11]',
    },
  },
  {
    id: 'redact-env',
    breaks: 'API keys are written into logs.',
    file: 'src/config/redact.ts',
    symbol: 'isSecret',
    find: 'value.length >= lengthMin && secretNames.test(name) && !isPlace',
    replace: 'false',
    test: {
      file: 'src/config/redact.test.ts',
      title: 'Redaction removes the values of our secret variables and names those variables',
    },
  },
  {
    id: 'redact-author',
    breaks: 'The name of the author of each commit is removed from logs.',
    file: 'src/config/redact.ts',
    symbol: 'secretNames',
    find: '(?!ORS?(?![A-Z]))',
    replace: '',
    test: {
      file: 'src/config/redact.test.ts',
      title: 'The name and the address of the author of a commit are no secrets',
    },
  },
  {
    id: 'redact-authorization',
    breaks: 'The value of an AUTHORIZATION variable is written into logs.',
    file: 'src/config/redact.ts',
    symbol: 'secretNames',
    find: '(?!ORS?(?![A-Z]))',
    replace: '(?!OR)',
    test: { file: 'src/config/redact.test.ts', title: 'The value of %s is a secret' },
  },
  {
    id: 'redact-cut',
    breaks: 'A key that arrives in two pieces is written into the log.',
    file: 'src/config/redact.ts',
    symbol: 'streamThrough',
    find: 'const end = startOfLastWord(whole);',
    replace: 'const end = whole.length;',
    test: {
      file: 'src/config/redact.test.ts',
      title: 'Redaction finds a secret however its text is cut into pieces, and loses nothing else',
    },
  },
  {
    id: 'check-log-raw',
    breaks: 'The log of a check holds the secrets that its command printed.',
    file: 'src/adapters/logs/check-log.ts',
    symbol: 'openStream',
    find: 'redacting: redactor.stream()',
    replace: "redacting: { push: (text: string) => (redactor ? text : ''), end: () => '' }",
    test: {
      file: 'src/adapters/checkers/command-checker.test.ts',
      title: 'A secret that a command prints in two pieces is neither in the finding nor in the log',
    },
  },
  {
    id: 'check-log-by-chunk',
    breaks: 'A secret that a command prints in two pieces is in the log.',
    file: 'src/adapters/logs/check-log.ts',
    symbol: 'openLog',
    find: 'const redacted = redacting.push(text);\n      keep',
    replace: 'const redacted = redacting === null ? text : redactor.redact(text);\n      keep',
    test: {
      file: 'src/adapters/checkers/command-checker.test.ts',
      title: 'A secret that a command prints in two pieces is neither in the finding nor in the log',
    },
  },
  {
    id: 'check-log-torn-lines',
    breaks: 'The other stream of a check tears a line of its report apart.',
    file: 'src/adapters/logs/check-log.ts',
    symbol: 'wholeLines',
    find: "all.lastIndexOf('\\n') + 1;",
    replace: 'all.length;',
    test: {
      file: 'src/adapters/checkers/command-checker.test.ts',
      title: 'A line of a report stays whole though the other stream prints in the middle of it [K7]',
    },
  },
  {
    id: 'check-tail-raw',
    breaks: 'The finding of an HTTP check repeats a secret of the answer.',
    file: 'src/adapters/checkers/create-checker.ts',
    symbol: 'withoutSecrets',
    find: 'tail: redactor.redact(tail)',
    replace: 'tail',
    test: {
      file: 'src/adapters/checkers/http-checker.test.ts',
      title:
        'A secret in the response, a redirect or the server output is neither in the finding of an HTTP check nor in its log',
    },
  },
  {
    id: 'check-reason-raw',
    breaks: 'The reason of a failed check repeats a secret of an answer or of a page.',
    file: 'src/adapters/checkers/create-checker.ts',
    symbol: 'withoutSecrets',
    find: 'reason: redactor.redact(reason)',
    replace: 'reason',
    test: {
      file: 'src/adapters/checkers/http-checker.test.ts',
      title:
        'A secret in the response, a redirect or the server output is neither in the finding of an HTTP check nor in its log',
    },
  },
  {
    id: 'held-out-shown-to-agents',
    breaks: 'An agent reads the name and the words of a check that is kept from it.',
    file: 'src/views/for-agents.ts',
    symbol: 'isHeldOut',
    find: "=== 'held-out'",
    replace: "=== 'kept'",
    test: {
      file: 'src/views/exit.test.ts',
      title:
        'A held-out criterion of the %s with the result %s is named to no attached session and no MCP client [K7]',
    },
  },
  {
    id: 'held-out-in-briefing',
    breaks: 'An attached session reads at its start which checks are kept from it.',
    file: 'src/views/exit.ts',
    symbol: 'briefing',
    find: '!isKept(run.tasks.get(taskId), id)',
    replace: 'taskId !== id',
    test: {
      file: 'src/views/exit.test.ts',
      title:
        'A held-out criterion of the %s with the result %s is named to no attached session and no MCP client [K7]',
    },
  },
  {
    id: 'held-out-in-exit',
    breaks: 'A session that may not leave reads the name and the output of a check that is kept from it.',
    file: 'src/views/exit.ts',
    symbol: 'shutReason',
    find: 'if (isKept(task, gap.criterionId))',
    replace: "if (isKept(task, ''))",
    test: {
      file: 'src/views/exit.test.ts',
      title:
        'A held-out criterion of the %s with the result %s is named to no attached session and no MCP client [K7]',
    },
  },
  {
    id: 'up-to-date-target',
    breaks:
      'A new file with the name of a target of make passes for product code, and the target runs nothing.',
    file: 'src/analysis/tampering/test-material.ts',
    symbol: 'isTargetOf',
    find: "!name.includes('.') && calls",
    replace: "name === '' && calls",
    test: {
      file: 'test/calibration/base-and-attribution.test.ts',
      title: 'Attribution finds a file or folder that makes a make target up to date [X8]',
    },
  },
  {
    id: 'old-tests-failed-by-added-lines',
    breaks: 'Lines added to a test are accepted on review though the work fails the test as it was.',
    file: 'src/kernel/proof/proof.ts',
    symbol: 'onlyAddsTests',
    find: "tried.every(({ verdict }) => verdict === 'pass')",
    replace: "tried.every(({ verdict }) => verdict !== 'unknown')",
    test: {
      file: 'src/kernel/proof/tampering.test.ts',
      title: 'A reviewer can accept tests added to a file if the checks pass with the original file [X8]',
    },
  },
  {
    id: 'changed-lines-are-added-lines',
    breaks: 'A changed line of a test counts as an added one.',
    file: 'src/analysis/tampering/keeps-lines.ts',
    symbol: 'keepsLines',
    find: 'kept === wanted.length',
    replace: 'kept > 0',
    test: {
      file: 'src/analysis/tampering/keeps-lines.test.ts',
      title: 'Lines were only added from %j to %j: %s [X8]',
    },
  },
  {
    id: 'reviewed-lines-not-tried-again',
    breaks: 'At the acceptance, checks do not run with a test as it was before lines were added to it.',
    file: 'src/runtime/checks/try-with-pins.ts',
    symbol: 'pinsToTry',
    find: 'pin.keepsLines === true',
    replace: 'pin.keepsLines !== true',
    test: {
      file: 'test/calibration/whose-tests.test.ts',
      title:
        'Test lines accepted by a reviewer do not let a check pass that is red with the original file [X8]',
    },
  },
  {
    id: 'allowed-test-proves',
    breaks: 'A test that may change proves the work by itself.',
    file: 'src/analysis/tampering/test-material.ts',
    symbol: 'isTestMaterial',
    find: 'return isTestFile(file) && !names(goal, path);',
    replace: 'return false;',
    test: {
      file: 'test/calibration/whose-tests.test.ts',
      title:
        'A changed test that alone turned the check green does not prove the work, and the person is asked [X8]',
    },
  },
  {
    id: 'tests-of-another-task',
    breaks: 'The tests of a later task prove an earlier one.',
    file: 'src/runtime/calibration/changed-material.ts',
    symbol: 'ownChanges',
    find: 'tasks.size <= 1 ||',
    replace: 'tasks.size > 0 ||',
    test: {
      file: 'test/calibration/whose-tests.test.ts',
      title: 'Tests of a later task do not prove an earlier task that brought none [X8]',
    },
  },
  {
    id: 'added-tests-after-a-stop',
    breaks: 'Added tests do not count where the broken work ends the runner before it gets to them.',
    file: 'src/runtime/calibration/trials/broken-work.ts',
    symbol: 'failWithBrokenFunctions',
    find: "return causes.includes('assertion');",
    replace: "return causes.includes('load');",
    test: {
      file: 'test/calibration/added-tests-by-language.test.ts',
      title: 'Added tests count if they fail when the changed functions are broken [X7]',
    },
  },
];
