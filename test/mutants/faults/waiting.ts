// Waiting for providers: limits that all runs share, fallback builders, and the answers that a task waits for.
import type { Fault } from '../fault.ts';

const limits = 'src/adapters/waiting/provider-limits.ts';
const limitsTest = 'src/adapters/waiting/provider-limits.test.ts';
const takeOver = 'src/policies/fallbacks/take-over.test.ts';
const answers = 'src/kernel/fold/conversation.test.ts';

export const waitingFaults: readonly Fault[] = [
  {
    id: 'limit-unshared',
    breaks: 'Every run starts a client of its own to learn of a limit that another run has met.',
    file: 'src/adapters/waiting/admitted-sessions.ts',
    symbol: 'createAdmittedSessions',
    find: 'if (limit !== null) return refused(options, step, limit);',
    replace: '',
    test: {
      file: 'src/adapters/waiting/admitted-sessions.test.ts',
      title:
        'While a limit is known no host is started, not even ahead of time, and the reason names the run that reached it [U5]',
    },
  },
  {
    id: 'limit-for-ever',
    breaks: 'A damaged file with a distant end keeps every run of the machine from working.',
    file: limits,
    symbol: 'createProviderLimits',
    find: 'stored.until - now() <= waitMsMax',
    replace: 'true',
    test: {
      file: limitsTest,
      title:
        'A limit file with %s as its content keeps no session from starting, and the next limit replaces it [U5] [X5]',
    },
  },
  {
    id: 'limit-of-all-keys',
    breaks: 'The limit of one key keeps the sessions of another one from starting.',
    file: limits,
    symbol: 'fileOf',
    find: "(env[variable] ?? '')",
    replace: "''",
    test: {
      file: limitsTest,
      title: 'Two keys are two accounts, and no key is written to the disk [U5] [X7]',
    },
  },
  {
    id: 'late-success-frees',
    breaks: 'A session that began before a limit was met takes the limit back.',
    file: limits,
    symbol: 'createProviderLimits',
    find: '(readLimit(file)?.at ?? 0) <= startedAt',
    replace: 'startedAt > 0',
    test: {
      file: limitsTest,
      title: 'A success clears a limit that was reached before the session began, and no later one [U5]',
    },
  },
  {
    id: 'refused-start-paid',
    breaks: 'A start that was refused uses up a session of the budget.',
    file: 'src/kernel/fold/apply-step.ts',
    symbol: 'settleStep',
    find: 'if (result.notAdmitted === true) return releaseReserve(ledger, reserve);',
    replace: '',
    test: {
      file: 'src/kernel/waiting/usage-limit.property.test.ts',
      title:
        'A refused start counts as no attempt and no session, costs nothing and keeps no reservation, in %s [U5] [X1]',
    },
  },
  {
    id: 'refused-start-forgets',
    breaks: 'The conversation of a paused session is lost when its next start is refused.',
    file: 'src/kernel/fold/apply-step.ts',
    symbol: 'endSession',
    find: 'if (result.notAdmitted === true) task.dialogue.resume = task.dialogue.sent.resume;',
    replace: '',
    test: {
      file: takeOver,
      title:
        'A refused start keeps the conversation and the content of the prompt for the next start [U5] [Q5]',
    },
  },
  {
    id: 'last-reset-awaited',
    breaks: 'A task whose builders are all limited waits for one that comes back late.',
    file: 'src/policies/fallbacks/recover.ts',
    symbol: 'waitUntil',
    find: 'Math.min(until, ...others.map((one) => one.until))',
    replace: 'until',
    test: {
      file: takeOver,
      title:
        'When every builder is limited, the run waits for the earliest reset, and that builder continues [U5] [C6]',
    },
  },
  {
    id: 'resumed-by-another',
    breaks: 'An agent is asked to continue the conversation of another one.',
    file: 'src/kernel/fold/conversation.ts',
    symbol: 'conversationOf',
    find: ' && isSameAgent(resume.agent, agent)',
    replace: '',
    test: {
      file: takeOver,
      title: 'An interrupted conversation is never continued by another agent [U5] [Q5]',
    },
  },
  {
    id: 'answer-in-the-dark',
    breaks: 'A builder that asked begins anew, although its conversation could go on.',
    file: 'src/kernel/fold/conversation.ts',
    symbol: 'takeAnswer',
    find: 'task.dialogue.resume = asked(run, task) ?? task.dialogue.resume;',
    replace: '',
    test: {
      file: answers,
      title:
        'The answer continues the conversation that asked, in the same attempt, with the question and the answer alone [U4]',
    },
  },
  {
    id: 'pause-now-waits',
    breaks: 'A pause with --now waits for a session that cannot be interrupted.',
    file: 'src/kernel/decide/hold.ts',
    symbol: 'interruptSessions',
    find: 'isAttachedStep(run, step) ? null : whyAtOnce(run, step)',
    replace: 'isAttachedStep(run, step) ? null : null',
    test: {
      file: 'src/kernel/decide/decide-controls.test.ts',
      title:
        'A pause with --now ends a session that cannot be interrupted; its attempt continues with the same files and prompt [Q5]',
    },
  },
  {
    id: 'jitter-none',
    breaks: 'Runs that failed together ask an overloaded provider together again.',
    file: 'src/policies/fallbacks/recover.ts',
    symbol: 'backOffMs',
    find: '0.8 + (numberOf(`${id} ${count}`) % 401) / 1000',
    replace: '1',
    test: {
      file: 'src/policies/fallbacks/recover.test.ts',
      title: 'Runs that failed at the same moment do not retry at the same moment [U5]',
    },
  },
];
