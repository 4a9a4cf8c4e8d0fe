// After a session: which agent tries next, how a reviewer counts, when the task ends.
import type { Fault } from '../fault.ts';

export const policiesFaults: readonly Fault[] = [
  {
    id: 'attempts-unlimited',
    breaks: 'A task that cannot be done is tried and paid for without end.',
    file: 'src/policies/loops/build-then-review.ts',
    symbol: 'nextAttempt',
    find: 'used >= attemptsPerTask',
    replace: 'used < 0',
    test: {
      file: 'src/policies/loops/builder-session.test.ts',
      title:
        'A session whose files cannot be read uses up an attempt, so that it is not repeated for ever [X1]',
    },
  },
  {
    id: 'stuck-goes-on',
    breaks: 'Three attempts that fail alike are followed by more of the same.',
    file: 'src/policies/loops/build-then-review.ts',
    symbol: 'nextAttempt',
    find: 'stuck !== null',
    replace: 'stuck === ""',
    test: {
      file: 'src/policies/fallbacks/stuck.test.ts',
      title:
        'A task that fails three times alike ends, in any preset, and each task is counted separately [X2]',
    },
  },
  {
    id: 'nothing-changed-goes-on',
    breaks: 'A builder that changed nothing is sent on to the reviewers.',
    file: 'src/policies/loops/build-then-review.ts',
    symbol: 'whatIsWrong',
    find: "if (isNew && tree === task.base?.tree) return 'the agent changed nothing';",
    replace: '',
    test: {
      file: 'src/policies/loops/build-then-review.test.ts',
      title: 'An attempt that leaves the tree unchanged did nothing, even if every check is green [X7]',
    },
  },
  {
    id: 'done-word-needed-not',
    breaks: 'Without a check, a builder that gave up counts as done.',
    file: 'src/policies/loops/build-then-review.ts',
    symbol: 'whatIsWrong',
    find: "hasRequiredCheck(run, task) || build.signal?.kind === 'done'",
    replace: 'true',
    test: {
      file: 'src/policies/loops/build-then-review.test.ts',
      title: 'Without any check, the verifier starts only after the marker [B4]',
    },
  },
  {
    id: 'reviewer-before-checks',
    breaks: 'Reviewers are paid for work whose checks are red.',
    file: 'src/policies/loops/build-then-review.ts',
    symbol: 'afterBuild',
    find: 'if (problem !== null) return tryAgain(run, task, problem);',
    replace: '',
    test: {
      file: 'src/policies/loops/review.test.ts',
      title:
        'A reviewer that always passes completes nothing if a required check fails or nothing was changed [Q10] [X7]',
    },
  },
  {
    id: 'cancelled-counts',
    breaks: 'A session that we cut off uses up an attempt.',
    file: 'src/policies/loops/builder-session.ts',
    symbol: 'whatBuildLeft',
    find: " || build.ending.kind === 'cancelled'",
    replace: '',
    test: {
      file: 'src/policies/loops/build-then-review.test.ts',
      title: 'A builder whose session we cut off is started again in the same attempt',
    },
  },
  {
    id: 'hopeless-tried-again',
    breaks: 'A wrong API key is tried until every attempt is used.',
    file: 'src/policies/loops/moves.ts',
    symbol: 'hopelessReason',
    find: "'authentication', ",
    replace: '',
    test: {
      file: 'src/policies/loops/build-then-review.test.ts',
      title: 'A builder is not retried where no retry could help [X3]',
    },
  },
  {
    id: 'not-started-tried-again',
    breaks: 'A missing client is started until every attempt is used.',
    file: 'src/policies/loops/moves.ts',
    symbol: 'hopelessReason',
    find: "if (ending.kind === 'not-started') return describeSessionEnding(ending);",
    replace: '',
    test: {
      file: 'src/policies/loops/builder-session.test.ts',
      title: 'A builder whose client cannot be started fails its task at once [X3]',
    },
  },
  {
    id: 'unreadable-tree',
    breaks: 'A session whose files cannot be read is paid for again without end.',
    file: 'src/policies/loops/builder-session.ts',
    symbol: 'whatBuildLeft',
    find: "if (tree === null) return 'unreadable';",
    replace: "if (tree === null) return 'again';",
    test: {
      file: 'src/policies/loops/builder-session.test.ts',
      title:
        'A session whose files cannot be read uses up an attempt, so that it is not repeated for ever [X1]',
    },
  },
  {
    id: 'resume-lost',
    breaks: 'An interrupted session starts from nothing instead of going on.',
    file: 'src/policies/loops/builder-session.ts',
    symbol: 'startBuilder',
    find: 'resume: conversation?.id ?? null',
    replace: 'resume: null',
    test: {
      file: 'src/policies/fallbacks/agent-for.test.ts',
      title: 'A task keeps its agent in every attempt, and when an interrupted session continues [C8]',
    },
  },
  {
    id: 'reviewer-edited',
    breaks: 'The verdict of a reviewer that edited the work counts.',
    file: 'src/policies/loops/read-review.ts',
    symbol: 'readReview',
    find: "if (endTree !== session.tree) return invalid('it changed files, so its verdict is not valid');",
    replace: '',
    test: {
      file: 'src/policies/loops/build-then-review.test.ts',
      title: 'A verifier that changed a single file has no valid verdict, whatever it said [B7]',
    },
  },
  {
    id: 'reviewer-committed',
    breaks: 'The verdict of a reviewer that committed counts.',
    file: 'src/policies/loops/read-review.ts',
    symbol: 'readReview',
    find: "if (session.hasCommitted) return invalid('it committed, so its verdict is not valid');",
    replace: '',
    test: {
      file: 'src/policies/loops/build-then-review.test.ts',
      title: 'A verifier that commits has no valid verdict, even though its commit was reverted [B7]',
    },
  },
  {
    id: 'reviewer-crashed-passes',
    breaks: 'A reviewer that crashed in the middle of its answer passes the work.',
    file: 'src/policies/loops/read-review.ts',
    symbol: 'readReview',
    find: "if (ending.kind !== 'finished') return invalid(`it ${describeSessionEnding(ending)}`);",
    replace: '',
    test: {
      file: 'src/policies/loops/build-then-review.test.ts',
      title: 'A verifier that %s is no failure of the builder, and is started again in a fresh session [B6]',
    },
  },
  {
    id: 'no-verdict-fails',
    breaks: 'Output without a verdict counts as a report of failures, and a builder is paid for it.',
    file: 'src/policies/loops/read-review.ts',
    symbol: 'readReview',
    find: "if (signal.isUntagged === true) return noVerdict('its output holds no marker and no report');",
    replace: '',
    test: {
      file: 'src/policies/loops/review.test.ts',
      title:
        'A reviewer that %s is asked once more, then a person decides, and nothing has failed [B6] [Q10]',
    },
  },
  {
    id: 'critical-blocker-passes',
    breaks: 'A critical blocker passes when the reviewer calls it a warning.',
    file: 'src/policies/loops/settle-review.ts',
    symbol: 'isFail',
    find: " || blockers.some(({ severity }) => severity === 'critical')",
    replace: '',
    test: {
      file: 'src/policies/loops/review.test.ts',
      title: 'A critical blocker fails the attempt even if the reviewer only warns [Q10]',
    },
  },
  {
    id: 'unsure-passes',
    breaks: 'A reviewer that is 20 % sure passes the work.',
    file: 'src/policies/loops/settle-review.ts',
    symbol: 'doubtOf',
    find: 'if (!isUnsure) return null;',
    replace: 'return null;',
    test: {
      file: 'src/policies/loops/review.test.ts',
      title:
        'An unsure reviewer is asked again once, and then a person decides, only for that very tree [Q10] [K8]',
    },
  },
  {
    id: 'doubts-forever',
    breaks: 'An unsure reviewer is asked and paid for without end.',
    file: 'src/policies/loops/settle-review.ts',
    symbol: 'unsettled',
    find: 'doubts >= doubtsMax',
    replace: 'doubts < 0',
    test: {
      file: 'src/policies/loops/review.test.ts',
      title:
        'A blocker that does not reproduce is no pass either: the reviewer is asked once more, then a person [Q10]',
    },
  },
  {
    id: 'reviewer-errors-forever',
    breaks: 'A reviewer that crashes each time is asked until the money is gone.',
    file: 'src/policies/loops/review.ts',
    symbol: 'leaveToPerson',
    find: 'task.reviewers.errors < run.config.policy.reviewerErrorsMax',
    replace: 'task.reviewers.errors >= 0',
    test: {
      file: 'src/policies/loops/build-then-review.test.ts',
      title:
        'A verifier that crashes each time is retried up to its limit, not for all sessions; then a person decides [B6]',
    },
  },
  {
    id: 'other-reviewer-ignored',
    breaks: 'Work passes although one of the reviewers failed it.',
    file: 'src/policies/loops/review.ts',
    symbol: 'failed',
    find: "verdict === 'fail'",
    replace: "verdict === 'unknown'",
    test: {
      file: 'src/policies/loops/review.test.ts',
      title: 'Any failing reviewer fails the attempt, and the next builder reads the findings of all [Q10]',
    },
  },
  {
    id: 'limit-wait-forever',
    breaks: 'A run waits days for a usage limit instead of parking.',
    file: 'src/policies/fallbacks/recover.ts',
    symbol: 'waitForLimit',
    find: 'until - (error.since ?? wallAt(error)) > limitWaitMsMax',
    replace: 'until < 0',
    test: {
      file: 'src/policies/fallbacks/recover.test.ts',
      title: 'A usage limit that ends later than the longest wait parks the run [U5]',
    },
  },
  {
    id: 'setbacks-forever',
    breaks: 'A provider that is down is tried all night.',
    file: 'src/policies/fallbacks/recover.ts',
    symbol: 'recovery',
    find: 'error.count > run.config.policy.setbacksMax',
    replace: 'error.count < 0',
    test: {
      file: 'src/policies/fallbacks/recover.test.ts',
      title: 'A task fails when provider errors outlast the retries',
    },
  },
  {
    id: 'oscillation-unseen',
    breaks: 'Attempts that go back and forth between two states are paid for.',
    file: 'src/policies/fallbacks/stuck.ts',
    symbol: 'whyStuck',
    find: "isOscillating(row, max) ? 'the attempts go back and forth between the same states' : null",
    replace: 'null',
    test: {
      file: 'src/policies/fallbacks/stuck.test.ts',
      title: 'A task is stuck when it fails in the same way, leaves the same files, or alternates [X2]',
    },
  },
  {
    id: 'progress-is-stuck',
    breaks: 'A task that makes progress is given up as stuck.',
    file: 'src/policies/fallbacks/stuck.ts',
    symbol: 'sinceProgress',
    find: 'from = index;',
    replace: 'from = 0;',
    test: {
      file: 'src/policies/fallbacks/stuck.test.ts',
      title: 'A task is not stuck while a new criterion passes, or where the rule is switched off [X2]',
    },
  },
];
