// What a person says about the plan: yes, no, another one, or "think again".
import type { Control } from './control.ts';
import type { Fact } from './events.ts';
import type { Run } from './run.ts';

export type PlanControl = Control & { kind: 'approve-plan' | 'reject-plan' | 'change-plan' | 'replan' };

export function settlePlan(
  run: Run,
  by: string,
  control: PlanControl,
): { readonly facts: readonly Fact[] } | { readonly refused: string } {
  if (run.config.policy.planning === undefined) return { refused: 'this run has no plan' };
  const { proposal } = run.plan;
  switch (control.kind) {
    case 'approve-plan':
    case 'reject-plan': {
      const { version } = control;
      if (proposal === null) return { refused: 'no plan waits for approval' };
      if (proposal.version !== version)
        return { refused: `plan ${proposal.version} waits for approval, not plan ${version}` };
      if (control.kind === 'approve-plan') return { facts: [{ type: 'plan-adopted', version, by }] };
      return { facts: [{ type: 'plan-rejected', version, by, why: control.why }] };
    }
    case 'change-plan':
      return changePlan(run, by, control);
    case 'replan':
      if (isBusy(run)) return { refused: busy };
      return { facts: [{ type: 'plan-wanted', cause: 'person', why: `${by}: ${control.why}` }] };
  }
}

const busy = 'a task is under way, and a plan changes between tasks; pause the run first, or ask again';

function changePlan(
  run: Run,
  by: string,
  { tasks, dropped, why }: PlanControl & { kind: 'change-plan' },
): { readonly facts: readonly Fact[] } | { readonly refused: string } {
  if (isBusy(run)) return { refused: busy };
  const isDone = ({ status }: { readonly status: string }): boolean => ['landed', 'skipped'].includes(status);
  const done = tasks.find(({ id }) => isDone(run.tasks.get(id) ?? { status: '' }));
  if (done !== undefined) return { refused: `task ${done.id} is done, and what is done stays as it is` };
  if (tasks.length === 0) return { refused: 'a plan has at least one task' };
  const version = run.plan.version + 1;
  return {
    facts: [
      { type: 'plan-proposed', proposal: { version, tasks, dropped, why, by } },
      { type: 'plan-adopted', version, by },
    ],
  };
}

/** What is under way was decided by the plan in force. */
function isBusy(run: Run): boolean {
  return run.active.size > 0 || run.running.size > 0;
}
