// A task as it is before anything happened to it.
import { isByMachine } from '#kernel/model/criterion.ts';
import { emptyLoop } from './loop.ts';
import { emptyActionLoop } from '#kernel/actions/action-loop.ts';
import type { TaskState } from './run.ts';
import type { Task } from '#kernel/model/task.ts';
import { emptyInspection } from './inspection.ts';
import { noFailures } from './failure.ts';
import { emptyDialogue } from './conversation.ts';

export function createTask(spec: Task, index: number, by = 'plan'): TaskState {
  return {
    spec,
    index,
    by,
    isPersons: by !== 'plan' && by !== 'policy',
    status: { is: 'waiting', unmet: 0 },
    attempt: 0,
    work: { kind: 'idle' },
    forgiven: 0,
    isRetried: false,
    base: null,
    workTree: null,
    inspection: emptyInspection(),
    looks: [],
    look: null,
    progress: { text: '', count: 0 },
    baseChecked: {
      attempt: !hasMachineCheck(spec, 'attempt'),
      acceptance: !hasMachineCheck(spec, 'acceptance'),
    },
    startTree: null,
    evidence: new Map(),
    tries: new Map(),
    loop: emptyLoop(),
    actions: emptyActionLoop(),
    refused: new Set(),
    skips: new Map(),
    changes: [],
    reviewerErrors: 0,
    setback: null,
    limits: [],
    report: null,
    failures: noFailures(),
    dialogue: emptyDialogue(),
    commit: null,
    hasFailed: false,
    runningSteps: 0,
  };
}

function hasMachineCheck(spec: Task, when: 'attempt' | 'acceptance'): boolean {
  return spec.criteria.some((criterion) => isByMachine(criterion) && criterion.when === when);
}
