// Requests of a person, and requests that an agent may not make.
import type { Fault } from '../fault.ts';

export const controlsFaults: readonly Fault[] = [
  {
    id: 'stop-ignored',
    breaks: '`untildone stop` does nothing.',
    file: 'src/kernel/decide/decide.ts',
    symbol: 'decide',
    find: 'if (run.stopping !== null) return stop(run, decision);',
    replace: '',
    test: {
      file: 'src/kernel/decide/decide-controls.test.ts',
      title: 'A stop interrupts the sessions, and the run ends when they are over [Q5] [X3]',
    },
  },
  {
    id: 'stop-now-interrupts',
    breaks: '`untildone stop --now` waits for the session to end by itself.',
    file: 'src/kernel/decide/decide.ts',
    symbol: 'stop',
    find: 'stopping.now || isAttachedStep(run, step)',
    replace: 'isAttachedStep(run, step)',
    test: {
      file: 'src/kernel/decide/decide-controls.test.ts',
      title: 'A stop with --now kills every running step, also after a gentle stop [Q5]',
    },
  },
  {
    id: 'pause-ignored',
    breaks: 'A paused run starts the next session.',
    file: 'src/kernel/decide/decide.ts',
    symbol: 'decide',
    find: 'if (run.paused !== null) return hold(run, decision, run.paused.why);',
    replace: '',
    test: {
      file: 'src/kernel/decide/decide-controls.test.ts',
      title:
        'A pause interrupts a running session and starts nothing, and a resume continues the same session [Q5]',
    },
  },
  {
    id: 'trouble-ignored',
    breaks: 'A run goes on while its disk is full.',
    file: 'src/kernel/decide/decide.ts',
    symbol: 'decide',
    find: 'run.trouble !== null',
    replace: 'run.trouble === undefined',
    test: {
      file: 'src/kernel/decide/decide-controls.test.ts',
      title: 'A run parks on an error of the environment, and continues after a person has fixed it',
    },
  },
  {
    id: 'skipped-keeps-running',
    breaks: 'The session of a skipped task works on and is paid for.',
    file: 'src/kernel/decide/decide.ts',
    symbol: 'decideTasks',
    find: "decision.steer.push({ stepId, kind: 'kill', reason: 'its task was skipped' });",
    replace: '',
    test: {
      file: 'src/kernel/decide/decide-controls.test.ts',
      title: 'A skip ends the work on a task, and the run completes without it [Q5]',
    },
  },
  {
    id: 'tells-lost-with-session',
    breaks: 'A message to the builder is lost with the session that carried it.',
    file: 'src/kernel/fold/apply-step.ts',
    symbol: 'applyStepLost',
    find: "if (task !== null && step.deed.kind === 'session' && !step.deed.readOnly) sendAgain(run, task.dialogue);",
    replace: '',
    test: {
      file: 'src/kernel/decide/decide-controls.test.ts',
      title: 'A message is sent again when the session that carried it %s [Q5]',
    },
  },
  {
    id: 'approve-after-change',
    breaks: 'An approval counts for work that has changed since.',
    file: 'src/kernel/decide/decide-controls.ts',
    symbol: 'settleVerdict',
    find: 'if (!isLeft && task.workTree !== control.tree)',
    replace: 'if (control.tree === "")',
    test: {
      file: 'src/kernel/decide/decide-controls.test.ts',
      title: 'An approval counts for one tree, from a person only, and never for another tree [Q5]',
    },
  },
  {
    id: 'person-overrides-machine',
    breaks: 'An approval overrides a red check.',
    file: 'src/kernel/decide/decide-controls.ts',
    symbol: 'settleVerdict',
    find: 'if (!isLeft && !isForPerson(task, criterion, control.tree))',
    replace: "if (control.tree === '')",
    test: {
      file: 'src/kernel/proof/last-word.test.ts',
      title:
        "A verdict cannot be changed once the work has landed, and none is accepted on a check's own criterion [Q5] [X12]",
    },
  },
  {
    id: 'control-after-end',
    breaks: 'A request after the end is shown as applied and does nothing.',
    file: 'src/kernel/decide/decide-controls.ts',
    symbol: 'settle',
    find: "if (kind !== 'retry' && kind !== 'skip' && !isForPlan)",
    replace: "if (kind === 'tell')",
    test: {
      file: 'src/kernel/decide/decide-controls.test.ts',
      title: 'Each request after the end is refused with a reason [Q5]',
    },
  },
  {
    id: 'pin-accept-changed-since',
    breaks: 'A person accepts a pinned file that has changed since they looked at it.',
    file: 'src/kernel/proof/tampering.ts',
    symbol: 'whyNotAcceptable',
    find: 'open.some((entry) => entry.content === content)',
    replace: 'open.length > 0',
    test: {
      file: 'src/kernel/proof/tampering.test.ts',
      title: 'An acceptance of any other content is refused: %j [X8]',
    },
  },
  {
    id: 'agent-reports-fill',
    breaks: 'An agent fills the journal with progress reports.',
    file: 'src/kernel/decide/from-inside.ts',
    symbol: 'settleFromInside',
    find: 'task.progress.count >= reportsMax',
    replace: 'task.progress.count < 0',
    test: {
      file: 'src/kernel/decide/from-inside.test.ts',
      title: 'Progress reports are kept, change nothing, and are limited in number [X14]',
    },
  },
  {
    id: 'proposals-fill',
    breaks: 'An agent fills the journal with proposals.',
    file: 'src/kernel/decide/decide-criteria.ts',
    symbol: 'propose',
    find: 'open.length >= openProposalsMax',
    replace: 'open.length < 0',
    test: { file: 'src/kernel/fold/criteria-change.test.ts', title: 'Proposals cannot fill the journal' },
  },
  {
    id: 'narrow-no-reason',
    breaks: 'A criterion is skipped without a reason that the outcome could name.',
    file: 'src/kernel/decide/decide-criteria.ts',
    symbol: 'whyNotChanged',
    find: "isNarrowing(was, change) && why.trim() === ''",
    replace: 'false',
    test: {
      file: 'src/kernel/fold/criteria-change.test.ts',
      title: 'Only a person can skip a criterion, with a reason, and the outcome says who and why [K5]',
    },
  },
  {
    id: 'policy-accepts-removals',
    breaks: 'An agent removes the criterion that it cannot meet, and no person is asked.',
    file: 'src/kernel/decide/decide-criteria.ts',
    symbol: 'policyFor',
    find: "change.kind === 'add' && run.config",
    replace: 'run.config',
    test: {
      file: 'src/kernel/fold/criteria-change.test.ts',
      title:
        'A proposal to remove or ease a criterion waits for a person also where additions are accepted by policy [K5]',
    },
  },
  {
    id: 'changed-check-not-narrowing',
    breaks: 'A check that was replaced by a weaker one is not mentioned in the outcome.',
    file: 'src/kernel/fold/criteria-change.ts',
    symbol: 'isNarrowing',
    find: '!isSame || ',
    replace: '',
    test: {
      file: 'src/kernel/fold/criteria-change.test.ts',
      title: 'A change counts as weaker unless it is an addition or a stricter rule',
    },
  },
  {
    id: 'person-plan-criteria-eased',
    breaks: 'A new plan lowers what a task of a person must prove.',
    file: 'src/kernel/planning/apply-plan.ts',
    symbol: 'asPersonWants',
    find: '    criteria,\n    mayChange,\n',
    replace: '',
    test: {
      file: 'src/policies/planning/new-plan.test.ts',
      title:
        "A person's task keeps its requirements, agent and allowed files in an unapproved new plan [C6] [X7]",
    },
  },
  {
    id: 'plan-drops-done',
    breaks: 'A new plan builds again what is done.',
    file: 'src/kernel/planning/apply-plan.ts',
    symbol: 'isOver',
    find: "task?.status.is === 'landed' || ",
    replace: '',
    test: {
      file: 'src/policies/planning/new-plan.test.ts',
      title:
        'A finished run continues with another plan of the architect or a person, and keeps the finished tasks [C6]',
    },
  },
  {
    id: 'last-word-ignored',
    breaks: 'An approval that was taken back a moment later still counts.',
    file: 'src/kernel/proof/last-word.ts',
    symbol: 'contradictedRequest',
    find: 'last === undefined || last.control.kind === control.kind ? null : last',
    replace: 'null',
    test: {
      file: 'src/kernel/proof/last-word.test.ts',
      title: 'A later verdict on a plan replaces a pending one, either way [C1] [Q5]',
    },
  },
  {
    id: 'retry-landed',
    breaks: '`untildone retry` builds a finished task again.',
    file: 'src/kernel/decide/reopen.ts',
    symbol: 'whyNotRetried',
    find: 'return `task ${id} is done and cannot be changed`;',
    replace: 'return null;',
    test: {
      file: 'src/kernel/decide/reopen.test.ts',
      title: 'A task that %s cannot be reopened, and the run stays over [Q5]',
    },
  },
];
