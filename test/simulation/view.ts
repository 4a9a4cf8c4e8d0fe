// An independent fold of the journal, so that the kernel's own state is not the only evidence.
import type { BudgetLimits } from '#kernel/model/budget.ts';
import type { Control } from '#kernel/events/control.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Outcome } from '#kernel/model/outcome.ts';
import type { Step, StepResult } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import type { ObservedLoop } from './action-view.ts';
import { seeActions, seeMode } from './action-view.ts';
import type { ObservedPlan } from './plan-view.ts';
import { noPlan, seePlan } from './plan-view.ts';
import type { ObservedSuspension } from './waiting/wait-view.ts';
import { seeTime, seeWaits } from './waiting/wait-view.ts';

export interface ObservedStep {
  readonly step: Step;
  readonly epoch: number;
  /** Position in the journal. */
  readonly position: number;
  /** Where its end stands in the journal. */
  endedAt: number;
  state: 'running' | 'ended' | 'lost';
  result: StepResult | null;
}

export interface ObservedControl {
  readonly control: Control;
  receivedTimes: number;
  settled: 'applied' | 'refused' | null;
  settledAt: number;
}

export interface View {
  events: number;
  lastAt: number;
  epoch: number;
  /** Who wrote the newest `driver-started`. */
  driver: number | null;
  isPaused: boolean;
  isStopping: boolean;
  outcome: Outcome | null;
  limits: BudgetLimits;
  readonly tasks: Map<string, Task>;
  readonly landed: Set<string>;
  readonly skipped: Set<string>;
  readonly plan: ObservedPlan;
  /** By task; of a run that works action by action. */
  readonly loops: Map<string, ObservedLoop>;
  /** Who chooses the next action. */
  mode: 'auto' | 'interactive' | null;
  readonly steps: Map<string, ObservedStep>;
  readonly running: Set<ObservedStep>;
  readonly controls: Map<string, ObservedControl>;
  /** By their ids; those that ended stay. */
  readonly suspensions: Map<string, ObservedSuspension>;
  /** The most time that can count as work. */
  workMs: number;
  /** Where the journal first tells what a step saw, by `step/task/criterion`. */
  readonly toldAt: Map<string, number>;
}

export function emptyView(limits: BudgetLimits, mode: View['mode'] = null): View {
  return {
    events: 0,
    lastAt: 0,
    epoch: 0,
    driver: null,
    isPaused: false,
    isStopping: false,
    outcome: null,
    limits,
    tasks: new Map(),
    landed: new Set(),
    skipped: new Set(),
    plan: noPlan(),
    loops: new Map(),
    mode,
    steps: new Map(),
    running: new Set(),
    controls: new Map(),
    suspensions: new Map(),
    workMs: 0,
    toldAt: new Map(),
  };
}

export function see(view: View, event: Event, by: number): void {
  seePlan(view, event);
  seeActions(view, event);
  seeTime(view, event);
  seeWaits(view, event);
  view.events += 1;
  view.lastAt = event.at;
  switch (event.type) {
    case 'driver-started':
      view.epoch = event.epoch;
      view.driver = by;
      return;
    case 'task-added':
      view.tasks.set(event.task.id, event.task);
      return;
    case 'step-started': {
      const { step } = event;
      const seen: ObservedStep = {
        step,
        epoch: view.epoch,
        position: view.events,
        endedAt: Infinity,
        state: 'running',
        result: null,
      };
      view.steps.set(step.stepId, seen);
      view.running.add(seen);
      return;
    }
    case 'step-ended':
      return endStep(view, event.stepId, event.result);
    case 'step-lost':
      return endStep(view, event.stepId, null);
    case 'evidence-recorded': {
      const { stepId, taskId, criterionId } = event.evidence;
      view.toldAt.set(`${stepId}/${taskId}/${criterionId}`, view.events);
      return;
    }
    case 'task-reopened':
      view.landed.delete(event.taskId);
      return;
    case 'task-landed':
      view.landed.add(event.taskId);
      return;
    case 'task-skipped':
      view.skipped.add(event.taskId);
      return;
    case 'task-retried':
      view.skipped.delete(event.taskId);
      return;
    case 'control-received': {
      const known = view.controls.get(event.id);
      if (known === undefined)
        view.controls.set(event.id, {
          control: event.control,
          receivedTimes: 1,
          settled: null,
          settledAt: 0,
        });
      else known.receivedTimes += 1;
      return;
    }
    case 'control-applied':
      return settleControl(view, event.id, 'applied');
    case 'control-refused':
      return settleControl(view, event.id, 'refused');
    case 'run-ended':
      view.outcome = event.outcome;
      return;
    case 'run-reopened':
      view.outcome = null;
      view.isStopping = false;
      return;
    default:
      return;
  }
}

function endStep(view: View, stepId: string, result: StepResult | null): void {
  const seen = view.steps.get(stepId);
  if (seen === undefined) return;
  view.running.delete(seen);
  seen.state = result === null ? 'lost' : 'ended';
  seen.result = result;
  seen.endedAt = view.events;
  const isCheckpoint = seen.step.deed.kind === 'commit' && seen.step.deed.checkpoint !== undefined;
  if (result?.kind === 'commit' && !isCheckpoint && seen.step.taskId !== null)
    view.landed.add(seen.step.taskId);
}

function settleControl(view: View, id: string, as: 'applied' | 'refused'): void {
  const known = view.controls.get(id);
  if (known === undefined) return;
  known.settled = as;
  known.settledAt = view.events;
  if (as === 'refused') return;
  const { control } = known;
  seeMode(view, control);
  if (control.kind === 'pause') view.isPaused = true;
  if (control.kind === 'stop') view.isStopping = true;
  if (control.kind !== 'resume') return;
  view.isPaused = false;
  const raised = { ...view.limits };
  for (const key of Object.keys(raised) as (keyof BudgetLimits)[])
    raised[key] = Math.max(raised[key], control.budget?.[key] ?? 0);
  view.limits = raised;
}
