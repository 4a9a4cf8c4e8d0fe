// Requests of people to a run, at any moment and often at the wrong one.
import type { Control } from '#kernel/events/control.ts';
import { drop } from './inbox.ts';
import { wordOnAction } from './actions.ts';
import { draftPlan } from './campaign.ts';
import { planTask } from './tasks.ts';
import type { Universe } from './universe.ts';
import { tipOf } from './universe.ts';
import { wordOnWait } from './waiting/wait-people.ts';

export function dropSomething(universe: Universe): void {
  dropControl(universe, anything(universe));
}

export function dropControl(universe: Universe, control: Control): void {
  const id = `k${String(universe.counts.controls + 1).padStart(4, '0')}`;
  drop(universe, { id, by: 'a person', control });
}

/** A person may approve work that was not proven, once. */
export function approveOnce(universe: Universe): boolean {
  const { view } = universe.ledger;
  const hasSaid = [...view.controls.values()].some(({ control }) => control.kind === 'approve-run');
  if (view.outcome !== 'unverified' || hasSaid || universe.random.chance(0.3)) return false;
  dropControl(universe, { kind: 'approve-run', tree: tipOf(universe).tree });
  return true;
}

/** What a person who reads the notification does about a parked run. */
export function help(universe: Universe): void {
  const { random } = universe;
  const ofWait = wordOnWait(universe);
  if (ofWait !== null) return dropControl(universe, ofWait);
  const word = random.chance(0.8) ? (wordOnPlan(universe) ?? wordOnAction(universe, true)) : null;
  if (word !== null) return dropControl(universe, word);
  const open = openApprovals(universe);
  if (open.length > 0 && random.chance(0.8)) return dropControl(universe, random.pick(open));
  dropControl(universe, { kind: 'resume' });
}

/** What a person says of a plan that waits, or of work that stands still; null for a run that has none. */
function wordOnPlan(universe: Universe): Control | null {
  const { random, plan, ledger } = universe;
  if (plan.config.policy.planning === undefined) return null;
  const { proposal, failed, isAstray } = ledger.view.plan;
  const version = proposal?.version ?? 1;
  const [broken] = failed;
  const isStuck = isAstray || broken !== undefined;
  const kind = random.weighted([
    [proposal === null ? 0.2 : 8, 'approve-plan'],
    [proposal === null ? 0.1 : 1, 'reject-plan'],
    [isStuck ? 2 : 0.5, 'change-plan'],
    [isStuck ? 2 : 0.7, 'replan'],
    [broken === undefined ? 0 : 3, 'retry'],
    [broken === undefined ? 0 : 1, 'skip'],
  ] as const);
  const taskId = broken ?? '';
  switch (kind) {
    case 'approve-plan':
      return { kind, version };
    case 'change-plan':
      return { kind, ...draftPlan(universe), why: 'mine' };
    case 'retry':
      return { kind, taskId };
    case 'skip':
      return { kind, taskId, why: 'not needed' };
    case 'reject-plan':
      return { kind, version, why: 'otherwise' };
    case 'replan':
      return { kind, why: 'think again' };
  }
}

function anything(universe: Universe): Control {
  const { random } = universe;
  const word = random.chance(0.3) ? (wordOnPlan(universe) ?? wordOnAction(universe, false)) : null;
  if (word !== null) return word;
  const taskId = random.pick([...universe.ledger.view.tasks.keys(), 'nobody']);
  const kind = random.weighted([
    [3, 'pause'],
    [3, 'resume'],
    [0.5, 'stop'],
    [3, 'tell'],
    [0.7, 'skip'],
    [1, 'retry'],
    [1, 'answer'],
    [1.5, 'approve'],
    [1.5, 'reject'],
    [1, 'add-task'],
    [1, 'approve-run'],
  ] as const);
  const tree = treeOf(universe, taskId);
  switch (kind) {
    case 'pause':
      return { kind, why: 'lunch' };
    case 'resume':
      return random.chance(0.3) ? { kind, budget: { sessions: 3 + random.int(14), usd: 30 } } : { kind };
    case 'stop':
      return { kind, now: random.chance(0.5), why: 'enough' };
    case 'tell':
      return { kind, text: `advice-${universe.counts.controls}.` };
    case 'skip':
      return { kind, taskId, why: 'not needed' };
    case 'retry':
      return { kind, taskId };
    case 'answer':
      return { kind, questionId: 'q1', text: 'yes' };
    case 'approve':
      return { kind, taskId, criterionId: random.pick(['person', 'works', 'verifier']), tree };
    case 'reject':
      return { kind, taskId, criterionId: random.pick(['person', 'works', 'verifier']), tree, why: 'ugly' };
    case 'approve-run':
      return { kind, tree: tipOf(universe).tree };
    case 'add-task':
      return { kind, task: planTask(random, universe.ledger.view.tasks.size % 8) };
  }
}

function openApprovals(universe: Universe): Control[] {
  const open: Control[] = [];
  for (const task of universe.ledger.view.tasks.values()) {
    // What has landed is asked about on the whole as it stands, by the acceptance alone.
    const isLanded = universe.ledger.view.landed.has(task.id);
    const tree = isLanded ? tipOf(universe).tree : treeOf(universe, task.id);
    for (const { id, check } of task.criteria) {
      if (isLanded && check.kind !== 'command') continue;
      const order = { taskId: task.id, criterionId: id, tree };
      if (universe.random.chance(0.75)) open.push({ kind: 'approve', ...order });
      else open.push({ kind: 'reject', ...order, why: 'not yet' });
    }
  }
  return open;
}

/** The tree that the task's last builder left, as a person would see it. */
function treeOf(universe: Universe, taskId: string): string {
  let tree = 'none';
  for (const { step, receipt } of universe.ledger.sessions.values())
    if (step.taskId === taskId && !step.deed.readOnly) tree = receipt?.endTree ?? tree;
  return tree;
}
