// Settles requests to change criteria: applied for a person, kept as a proposal for an agent.
import { isMachineCheck } from '#kernel/model/check.ts';
import { isCheck } from '#kernel/model/check-shape.ts';
import type { Control, ControlRequest } from '#kernel/events/control.ts';
import type { Proposal } from '#kernel/fold/criteria-change.ts';
import type { CriteriaChange, Criterion } from '#kernel/model/criterion.ts';
import { criterionIdOf, isNarrowing } from '#kernel/fold/criteria-change.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { Settlement } from '#kernel/events/settlement.ts';
import { isPersonAskedInstead, isSkipBlocked } from '#kernel/fold/loop.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';

export type CriteriaControl = Extract<
  Control,
  { readonly kind: 'change-criteria' | 'propose-criterion' | 'accept-criterion' | 'reject-criterion' }
>;

export function settleCriteria(run: Run, request: ControlRequest, control: CriteriaControl): Settlement {
  switch (control.kind) {
    case 'change-criteria': {
      const { taskId, change, why } = control;
      const problem = whyNotChanged(run, taskId, change, why);
      if (problem !== null) return { refused: problem };
      return {
        facts: [{ type: 'criteria-changed', taskId, change, by: request.by, why, approvedBy: 'person' }],
      };
    }
    case 'propose-criterion':
      return propose(run, request, control);
    case 'accept-criterion':
    case 'reject-criterion':
      return settleProposal(run, request, control);
  }
}

function propose(
  run: Run,
  { id: proposalId, by }: ControlRequest,
  { taskId, change, why }: CriteriaControl & { kind: 'propose-criterion' },
): Settlement {
  const problem = whyNotChanged(run, taskId, change, why);
  if (problem !== null) return { refused: problem };
  if (JSON.stringify([change, why]).length > proposalCharsMax) return { refused: 'it is too long' };
  const open = [...run.proposals.values()].filter((one) => one.settled === null);
  if (open.length >= openProposalsMax) return { refused: `${open.length} proposals are open already` };
  const facts: Fact[] = [{ type: 'criterion-proposed', taskId, proposalId, change, by, why }];
  const policy = policyFor(run, change);
  if (policy !== null) facts.push(...accepted({ id: proposalId, taskId, change, why }, policy, 'policy'));
  return { facts };
}

/** Limits, so that an agent cannot fill the journal with proposals. */
const openProposalsMax = 50;
const proposalCharsMax = 10_000;

/** The setting that accepts the change without a person; null if a person is asked. */
function policyFor(run: Run, change: CriteriaChange): string | null {
  if (change.kind === 'add' && run.config.policy.proposals === 'additions') return 'policy: proposals';
  if (change.kind === 'skip' && !isSkipBlocked(run)) return 'policy: loops.blockOnSkip is off';
  return null;
}

function settleProposal(
  run: Run,
  { by }: ControlRequest,
  control: CriteriaControl & { kind: 'accept-criterion' | 'reject-criterion' },
): Settlement {
  const { proposalId } = control;
  const proposal = run.proposals.get(proposalId);
  if (proposal === undefined) return { refused: `there is no proposal ${proposalId}` };
  if (proposal.settled !== null)
    return {
      refused: `proposal ${proposalId} was ${proposal.settled.isAccepted ? 'accepted' : 'rejected'} already`,
    };
  const { taskId, change } = proposal;
  const why = control.why === '' ? proposal.why : control.why;
  if (control.kind === 'reject-criterion')
    return { facts: [{ type: 'proposal-settled', taskId, proposalId, isAccepted: false, by, why }] };
  const problem = whyNotChanged(run, taskId, change, why);
  return problem === null ? { facts: accepted({ ...proposal, why }, by, 'person') } : { refused: problem };
}

function accepted(
  { id: proposalId, taskId, change, why }: Pick<Proposal, 'id' | 'taskId' | 'change' | 'why'>,
  by: string,
  approvedBy: 'person' | 'policy',
): Fact[] {
  return [
    { type: 'proposal-settled', taskId, proposalId, isAccepted: true, by, why },
    { type: 'criteria-changed', taskId, change, by, why, approvedBy },
  ];
}

/** Why the change is impossible in the present run; null if it is possible. */
export function whyNotChanged(run: Run, taskId: string, change: CriteriaChange, why: string): string | null {
  const task = run.tasks.get(taskId);
  if (task === undefined) return `there is no task ${taskId}`;
  if (!isWellFormed(change)) return 'it is no change of a criterion that could be read';
  const blocked = whyClosed(run, task);
  if (blocked !== null) return blocked;
  const id = criterionIdOf(change);
  const was = task.spec.criteria.find((one) => one.id === id) ?? null;
  if (change.kind === 'add' && was !== null) return `task ${taskId} has a criterion ${id} already`;
  if (change.kind !== 'add' && was === null) return `task ${taskId} has no criterion ${id}`;
  if (change.kind === 'skip' && task.skips.has(id)) return `criterion ${id} is skipped already`;
  if (isNarrowing(was, change) && why.trim() === '') return 'asking for less needs a reason';
  return 'criterion' in change ? whyUndecidable(run, task, change.criterion) : null;
}

/** Refuses a criterion that would never be checked. */
function whyUndecidable(run: Run, task: TaskState, { kind, check, origin }: Criterion): string | null {
  const { loops } = run.config.policy;
  if (origin?.check === 'none' && loops !== undefined && !isPersonAskedInstead(loops))
    return 'no check could be found for it, and no person is asked (loops.fallbackToManual is off)';
  if (kind === 'entry' && !isMachineCheck(check)) return 'an entry criterion needs a machine check';
  if (kind === 'entry' && task.attempt > 0)
    return `task ${task.spec.id} has begun, too late for an entry criterion`;
  if (check.kind === 'reviewer' && !Object.hasOwn(run.config.roles, check.role))
    return `this run has no role ${check.role}`;
  return null;
}

function whyClosed(run: Run, task: TaskState): string | null {
  const { id } = task.spec;
  if (['landed', 'failed', 'skipped', 'dropped'].includes(task.status.is))
    return `task ${id} is ${task.status.is} already`;
  for (const step of run.running.values())
    if (step.taskId === id && step.deed.kind === 'commit') return `task ${id} is being committed`;
  return null;
}

/** A control comes from another process, perhaps an agent's: its shape is checked before it is recorded. */
function isWellFormed(change: CriteriaChange): boolean {
  if (change.kind === 'remove' || change.kind === 'skip') return typeof change.criterionId === 'string';
  if (change.kind !== 'add' && change.kind !== 'replace') return false;
  const { criterion } = change as { readonly criterion?: Partial<typeof change.criterion> };
  return (
    typeof criterion === 'object' &&
    typeof criterion.id === 'string' &&
    /^[\w.-]{1,64}$/.test(criterion.id) &&
    typeof criterion.text === 'string' &&
    (criterion.kind === 'entry' || criterion.kind === 'exit') &&
    typeof criterion.required === 'boolean' &&
    (criterion.when === 'attempt' || criterion.when === 'acceptance') &&
    isCheck(criterion.check)
  );
}
