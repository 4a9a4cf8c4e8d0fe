// Applies the direct effects of a control.
import { allowRoot } from '#kernel/model/allow-root.ts';
import { present } from '#base/assert.ts';
import { raised } from '#kernel/model/budget.ts';
import type { ControlRequest } from '#kernel/events/control.ts';
import type { Run, TaskState } from './run.ts';
import { endWaits } from '#kernel/waiting/usage-limit.ts';
import { isUntouched } from './under-way.ts';
import { beginAnew } from './apply-reopening.ts';
import { setAwaiting } from './work.ts';

export function applyControl(run: Run, id: string): void {
  run.controls.set(id, 'applied');
  const { by, control } = takePending(run, id);
  switch (control.kind) {
    case 'pause':
      run.paused = { by, why: control.why, ...(control.now === true ? { now: true } : {}) };
      return;
    case 'resume':
      run.paused = null;
      run.trouble = null;
      endWaits(run);
      run.budget = raised(run.budget, control.budget ?? {});
      if (control.setup !== undefined) changeSetup(run, control.setup);
      if (control.mode !== undefined) changeMode(run, control.mode);
      if (control.allowRoot === true) run.config = allowRoot(run.config);
      if (control.budget !== undefined) for (const task of run.queue.active) setAwaiting(task, null);
      return;
    case 'stop':
      run.stopping = { now: control.now || (run.stopping?.now ?? false), why: control.why };
      return;
    case 'accept-review':
      run.config = { ...run.config, acceptReview: true };
      return;
    case 'tell':
      run.messages.push(control.text);
      return;
    // The effects of these have their own events, recorded beside the `control-applied`.
    case 'suspend':
    case 'ask-suspension':
    case 'skip':
    case 'retry':
    case 'answer':
    case 'choose':
    case 'approve':
    case 'approve-run':
    case 'reject':
    case 'accept':
    case 'add-task':
    case 'change-criteria':
    case 'propose-criterion':
    case 'look':
    case 'ask':
    case 'report':
    case 'accept-criterion':
    case 'approve-plan':
    case 'reject-plan':
    case 'change-plan':
    case 'replan':
    case 'reject-criterion':
      return;
  }
}

/** Until a builder has worked, the checkout is made again; tasks that have not begun are checked in it. */
function changeSetup(run: Run, setup: string | false): void {
  const command = setup === false ? null : setup;
  run.config = { ...run.config, setup: { ...run.config.setup, command, isDetected: false } };
  if (run.base === null) return;
  if (isUntouched(run)) run.arePinsDue = true;
  const isOpen = ({ status }: TaskState): boolean => ['waiting', 'ready', 'active'].includes(status.is);
  for (const task of run.tasks.values()) if (task.attempt === 0 && isOpen(task)) beginAnew(task);
}

function changeMode(run: Run, mode: 'auto' | 'interactive'): void {
  const { actions } = run.config.policy;
  if (actions === undefined) return;
  run.config = { ...run.config, policy: { ...run.config.policy, actions: { ...actions, mode } } };
}

export function takePending(run: Run, id: string): ControlRequest {
  const request = present(
    run.pending.find((one) => one.id === id),
    `only a pending control is settled: ${id}`,
  );
  run.pending = run.pending.filter((one) => one.id !== id);
  return request;
}
