// A task as it is before anything happened to it.
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
    provider: { setback: null, limits: [] },
    failures: noFailures(),
    dialogue: emptyDialogue(),
    commit: null,
    past: { hasFailed: false, isRetried: false },
    runningSteps: 0,
  };
}

/** A task without checks for a moment needs no run of them on its start. */
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
