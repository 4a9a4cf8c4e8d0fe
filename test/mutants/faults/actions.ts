// The action loop: what counts as a turn, what may follow it, who chooses, what completes.
import type { Fault } from '../fault.ts';

const loopTest = 'src/policies/loops/actions/action-by-action.test.ts';

export const actionsFaults: readonly Fault[] = [
  {
    id: 'complete-without-checks',
    breaks: 'COMPLETE takes the agent at its word and runs no check.',
    file: 'src/policies/loops/actions/our-actions.ts',
    symbol: 'checksDue',
    find: 'return startCheck(task, tree, ours);',
    replace: 'return null;',
    test: {
      file: loopTest,
      title:
        'COMPLETE chosen without a validation runs the checks first and is refused if one is red [A4] [A8]',
    },
  },
  {
    id: 'red-work-reviewed',
    breaks: 'COMPLETE pays for reviewers of work whose checks are red.',
    file: 'src/policies/loops/actions/our-actions.ts',
    symbol: 'complete',
    find: "if (gaps.length > 0) return conclude([refuse(gaps.join('; '))]);",
    replace: '',
    test: { file: loopTest, title: 'No reviewer is paid for while a check is red [A8]' },
  },
  {
    id: 'complete-refused-files',
    breaks: 'Files that the acceptance refused are proven and taken back without end.',
    file: 'src/policies/loops/actions/our-actions.ts',
    symbol: 'isOutdated',
    find: 'base !== null && base.commit !== tip?.commit',
    replace: 'base !== null && tip === null',
    test: {
      file: loopTest,
      title:
        'Files that the acceptance refused cannot be completed again before a turn of the agent [A4] [A8]',
    },
  },
  {
    id: 'complete-after-rejection',
    breaks: 'A person refuses work that was called complete, and the run makes no progress ever after.',
    file: 'src/policies/loops/actions/our-actions.ts',
    symbol: 'complete',
    find: 'isCompleting(task) && gapsInProof(run, task, tree).length === 0',
    replace: 'isCompleting(task)',
    test: {
      file: loopTest,
      title: 'A completion that a person refuses before it is proven is taken back [A8]',
    },
  },
  {
    id: 'timeout-counts',
    breaks: 'A timeout or a crash burns an iteration.',
    file: 'src/kernel/actions/action-loop.ts',
    symbol: 'isCutShort',
    find: "ending.kind === 'timed-out' || ",
    replace: '',
    test: {
      file: loopTest,
      title:
        'A timeout burns no iteration: one turn to converge, then a fresh session with the previous output [A5]',
    },
  },
  {
    id: 'second-choice-taken',
    breaks: 'Of two terminals that choose at once, both choose.',
    file: 'src/kernel/actions/settle-choice.ts',
    symbol: 'whyNotChosen',
    find: 'if (actions.chosen !== null) return `${actions.chosen.by} chose ${actions.chosen.action} already`;',
    replace: '',
    test: {
      file: loopTest,
      title: 'A second choice for the same turn is refused with the name of the person who chose [A4]',
    },
  },
  {
    id: 'late-choice-taken',
    breaks: 'A choice made for an earlier turn decides a later one.',
    file: 'src/kernel/actions/settle-choice.ts',
    symbol: 'whyNotChosen',
    find: 'turn !== choiceNumber(actions)',
    replace: 'turn > choiceNumber(actions)',
    test: { file: loopTest, title: 'A choice that was seen before another action was done is refused [A4]' },
  },
  {
    id: 'wish-always-followed',
    breaks: 'The agent decides what comes next, also what is not possible in this state.',
    file: 'src/policies/loops/actions/next-action.ts',
    symbol: 'wished',
    find: 'legal.find((one) => one === name)',
    replace: "(['INIT', 'DEVELOP', 'DEBUG', 'VALIDATE', 'COMPLETE'] as const).find((one) => one === name)",
    test: {
      file: loopTest,
      title: 'A wish that is not possible is not followed, and the agent is told which actions are [A8]',
    },
  },
  {
    id: 'own-keys-taken',
    breaks: 'An agent overwrites what this program says of the loop, such as its limit of iterations.',
    file: 'src/kernel/actions/action-state.ts',
    symbol: 'mergeState',
    find: 'ownKeys.includes(key) ? ownKey : plainJson(value, 2, size)',
    replace: 'plainJson(value, 2, size)',
    test: { file: loopTest, title: 'State that this program keeps itself is not taken from an agent [A2]' },
  },
  {
    id: 'conversation-of-another-agent',
    breaks: 'An agent that takes over is asked to resume a conversation that it never had.',
    file: 'src/policies/loops/actions/turn.ts',
    symbol: 'conversationOf',
    find: 'conversation?.agent.name === agent.name && conversation.agent.model === agent.model',
    replace: 'conversation !== null',
    test: {
      file: loopTest,
      title: 'Another agent that takes over does not resume the conversation of the first [A1]',
    },
  },
  {
    id: 'gaps-not-told',
    breaks: 'The agent is not told why COMPLETE was refused.',
    file: 'src/policies/loops/actions/turn-prompt.ts',
    symbol: 'sharedValues',
    find: "task.failures.last === null ? '' : feedback(run, task)",
    replace: "''",
    test: {
      file: loopTest,
      title: 'COMPLETE with a red check is refused, and the gap is in the first lines of the next turn [A8]',
    },
  },
  {
    id: 'paused-goes-on',
    breaks: 'An agent asks to pause, and the run goes on as if it had said nothing.',
    file: 'src/policies/loops/actions/questions.ts',
    symbol: 'questionText',
    find: "next === 'PAUSED' || next === 'STOPPED'",
    replace: "next === 'STOPPED'",
    test: { file: loopTest, title: '%s said by an agent becomes a question, never an end [A6]' },
  },
  {
    id: 'troubles-never-reset',
    breaks: 'Three failures in a whole run stop it, however much went well between them.',
    file: 'src/kernel/actions/action-loop.ts',
    symbol: 'takeAction',
    find: 'actions.troubles = isFailed ? actions.troubles + 1 : 0;',
    replace: 'if (isFailed) actions.troubles += 1;',
    test: { file: loopTest, title: 'A turn that succeeds ends the row of failed ones [A2]' },
  },
  {
    id: 'retried-loop-not-asked',
    breaks: 'A retried loop in interactive mode goes on without a choice.',
    file: 'src/kernel/actions/settle-choice.ts',
    symbol: 'isChoiceDue',
    find: "(status.is === 'active' || status.is === 'ready')",
    replace: "status.is === 'active'",
    test: { file: loopTest, title: 'A retried loop in interactive mode waits for a choice [A4]' },
  },
  {
    id: 'choice-skipped-beside-base-check',
    breaks: 'While a slow check of the base runs, an interactive loop goes on without a choice.',
    file: 'src/kernel/actions/settle-choice.ts',
    symbol: 'isAtWork',
    find: "taskId === spec.id && !(deed.kind === 'check' && deed.purpose === 'base')",
    replace: 'taskId === spec.id && deed !== null',
    test: {
      file: loopTest,
      title: 'The run waits for a choice also while a slow check of the base still runs [A4]',
    },
  },
  {
    id: 'verdict-taken-for-turn',
    breaks: "A person's verdict on work that waited for it makes the driver fail.",
    file: 'src/kernel/actions/settle-choice.ts',
    symbol: 'isBetweenTurns',
    find: 'isAttemptOver(task) || task.actions.turn === null',
    replace: 'isAttemptOver(task) || task.actions.chosen !== null',
    test: {
      file: loopTest,
      title:
        'The verdict of a person on a loop that is out of time is taken, and no turn goes on without one [A7]',
    },
  },
  {
    id: 'gone-conversation-kept',
    breaks: 'A turn tries without end to resume a conversation that its client has forgotten.',
    file: 'src/kernel/actions/action-loop.ts',
    symbol: 'endTurn',
    find: 'if (isConversationGone(ending)) actions.conversation = null;',
    replace: 'if (isConversationGone(ending)) actions.problems = [];',
    test: {
      file: loopTest,
      title: 'A conversation that the client forgot goes on in a fresh session, once [A1]',
    },
  },
];
