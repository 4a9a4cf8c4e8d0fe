// Suspensions requested by a person or an agent.
import type { Fault } from '../fault.ts';

const kernelTest = 'src/kernel/waiting/suspension.test.ts';
const viewsTest = 'src/views/waiting/suspended.test.ts';

export const waitingCliFaults: readonly Fault[] = [
  {
    id: 'agent-suspends-by-its-own-clock',
    breaks: 'An agent that claims to live next year suspends its task for a year.',
    file: 'src/kernel/waiting/settle-suspension.ts',
    symbol: 'settleAgentSuspend',
    find: 'Math.min(since, run.now)',
    replace: 'since',
    test: {
      file: kernelTest,
      title:
        'An agent cannot wait for a command, a file, or longer than the cap, whatever time it claims [U1]',
    },
  },
  {
    id: 'agent-polls',
    breaks: 'An agent has a command of its own run again and again outside of its session.',
    file: 'src/kernel/waiting/settle-suspension.ts',
    symbol: 'settleAgentSuspend',
    find: "kind !== 'time' && kind !== 'manual'",
    replace: "kind !== 'time' && kind !== 'manual' && kind !== 'poll'",
    test: {
      file: kernelTest,
      title:
        'An agent cannot wait for a command, a file, or longer than the cap, whatever time it claims [U1]',
    },
  },
  {
    id: 'now-forgets-reminder',
    breaks: 'A suspension that ends its session afterwards is never reminded of.',
    file: 'src/kernel/waiting/settle-suspension.ts',
    symbol: 'endSessions',
    find: '...(remindAt === null ? {} : { remindAt })',
    replace: '...(remindAt === null ? { remindAt: since } : {})',
    test: {
      file: kernelTest,
      title: 'A suspension with --now ends the session, and can be added to one that only interrupts [U1]',
    },
  },
  {
    id: 'person-is-not-asked',
    breaks: 'A person is not asked about a wait that only they can end.',
    file: 'src/views/questions/attention-items.ts',
    symbol: 'suspensionItems',
    find: '.filter(needsPerson)',
    replace: '.filter((one) => !needsPerson(one))',
    test: {
      file: viewsTest,
      title: 'A wait for a person is a question with its commands, and its answer is shown [U3]',
    },
  },
  {
    id: 'poll-flags-without-limit',
    breaks: 'A poll expires after its first interval instead of after all its tries.',
    file: 'src/config/suspend-flags.ts',
    symbol: 'toCondition',
    find: 'until: since + lastsMs',
    replace: 'until: since + everyMs',
    test: {
      file: 'src/config/suspend-flags.test.ts',
      title: 'A poll expires after its interval times its tries [U1]',
    },
  },
];
