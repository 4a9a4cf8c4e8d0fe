// Creates the state of a task before its first event.
import { isByMachine } from '#kernel/model/criterion.ts';
import { emptyLoop } from './loop.ts';
import { emptyActionLoop } from '#kernel/actions/action-loop.ts';
import type { StartOfTask, TaskState } from './run.ts';
import type { Task } from '#kernel/model/task.ts';
import { emptyInspection } from './review.ts';
import { noFailures } from './failure.ts';
import { emptyDialogue } from './conversation.ts';

export function createTask(spec: Task, index: number, by = 'plan'): TaskState {
  return {
    spec,
    index,
    origin: { by, isPerson: by !== 'plan' && by !== 'policy' },
    status: { is: 'waiting', unmet: 0 },
    attempt: 0,
    work: { kind: 'idle' },
    forgiven: 0,
    base: null,
    workTree: null,
    inspection: emptyInspection(),
    previews: { asked: [], newest: null },
    progress: { text: '', count: 0 },
    start: startOf(spec),
    evidence: new Map(),
    tries: new Map(),
    loop: emptyLoop(),
    actions: emptyActionLoop(),
    refused: new Set(),
    skips: new Map(),
    changes: [],
    reviewers: { errors: 0, report: null },
    provider: { transientError: null, limits: [] },
    failures: noFailures(),
    dialogue: emptyDialogue(),
    commit: null,
    past: { hasFailed: false, isRetried: false },
    runningSteps: 0,
  };
}

/** If a task has no checks for one moment, none need to run on its start tree. */
export function startOf(spec: Task): StartOfTask {
  return {
    tree: null,
    checked: {
      attempt: !hasMachineCheck(spec, 'attempt'),
      acceptance: !hasMachineCheck(spec, 'acceptance'),
    },
  };
}

function hasMachineCheck(spec: Task, when: 'attempt' | 'acceptance'): boolean {
  return spec.criteria.some((criterion) => isByMachine(criterion) && criterion.when === when);
}
