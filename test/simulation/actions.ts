// Random settings of a simulated action loop, the agent's turns, and the choices of people.
import type { ActionReport, ActionSettings } from '#kernel/actions/action.ts';
import { actionStatuses, actionWishes } from '#kernel/actions/action.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Control } from '#kernel/events/control.ts';
import type { Signal } from '#kernel/model/signal.ts';
import type { AgentChoice, SessionOperation, Step } from '#kernel/model/step.ts';
import { defaultTexts } from '#policies/loops/actions/action-texts.ts';
import { ownKeys } from '#kernel/actions/action-state.ts';
import type { ObservedLoop } from './action-view.ts';
import { noLoop } from './action-view.ts';
import type { Random } from './random.ts';
import type { Universe } from './universe.ts';

const other: AgentChoice = { name: 'second', model: null };

export function actionsConfig(random: Random, config: RunConfig): RunConfig {
  const { builder } = config.roles;
  const actions: ActionSettings = {
    mode: random.pick(['auto', 'auto', 'interactive']),
    turnTimeoutMs: 600_000,
    texts: defaultTexts,
    project: [],
  };
  return {
    ...config,
    preset: 'actions',
    roles: {
      ...config.roles,
      ...(builder === undefined
        ? {}
        : { builder: { ...builder, words: { done: '===DONE===', reportTag: null, actions: true } } }),
    },
    policy: {
      ...config.policy,
      parallel: 1,
      actions,
      routing: { domains: {}, fallbacks: random.chance(0.3) ? [other] : [] },
    },
    budget: { ...config.budget, sessions: 4 + random.int(30), usd: 200, attemptsPerTask: 2 + random.int(9) },
  };
}

/** An honest report, a lie, a wish that cannot be, a state with keys of ours, or nothing that can be read. */
export function sayAction(random: Random, { turn }: SessionOperation): Signal | null {
  if (turn === undefined) return null;
  return random.weighted<() => Signal | null>([
    [12, () => ({ kind: 'action', report: reportOf(random, turn.action) })],
    [0.6, () => ({ kind: 'action', report: reportOf(random, random.pick(['COMPLETE', 'INIT', 'MENU'])) })],
    [
      0.8,
      () => ({ kind: 'action-unreadable', problems: ['There is no ACTION_RESULT block.'], text: 'done!' }),
    ],
    [0.3, () => ({ kind: 'done' })],
    [0.3, () => null],
  ])();
}

function reportOf(random: Random, action: ActionReport['action']): ActionReport {
  const isOpen = random.chance(0.4);
  return {
    action,
    status: random.weighted([
      [12, actionStatuses[0]],
      [2, actionStatuses[1]],
      [0.6, actionStatuses[2]],
    ]),
    message: `did ${action}`,
    stateUpdates: {
      tasks: [{ id: 't1', title: 'all of it', status: isOpen ? 'pending' : 'done' }],
      ...(random.chance(0.2) ? { [random.pick(ownKeys)]: 99 } : {}),
      ...(random.chance(0.02) ? { notes: 'x'.repeat(70_000) } : {}),
    },
    filesUpdated: [],
    menuOptions: '',
    next: random.weighted([
      [6, 'NONE'],
      [4, 'VALIDATE'],
      [3, 'COMPLETED'],
      [3, random.pick(actionWishes)],
    ]),
  };
}

/** The id names whose conversation it is, so that a turn on another one is noticed. */
export function conversationId(
  random: Random,
  { taskId, deed, stepId }: Step,
): { readonly resumeId?: string } {
  if (deed.kind !== 'session' || deed.turn === undefined || random.chance(0.15)) return {};
  return { resumeId: `talk-${taskId ?? ''}-${deed.agent.name}-${stepId}` };
}

/** What a person says to a loop that waits; null for a run that has none. */
export function wordOnAction(universe: Universe, isSensible: boolean): Control | null {
  const { random, plan, ledger } = universe;
  if (plan.config.policy.actions === undefined) return null;
  const open = [...ledger.view.tasks.keys()].filter((id) => !ledger.view.landed.has(id));
  const taskId = random.pick([...open, ...(isSensible && open.length > 0 ? [] : ['nobody'])]);
  const loop = ledger.view.loops.get(taskId) ?? noLoop();
  if (loop.question !== null && random.chance(0.6))
    return { kind: 'answer', questionId: loop.question, text: 'go on' };
  if (random.chance(0.1)) return { kind: 'resume', mode: random.pick(['auto', 'interactive']) };
  return choiceIn(random, taskId, loop, isSensible);
}

function choiceIn(random: Random, taskId: string, { taken }: ObservedLoop, isSensible: boolean): Control {
  const action = random.weighted([
    [4, 'DEVELOP'],
    [2, 'DEBUG'],
    [2, 'VALIDATE'],
    [3, 'COMPLETE'],
  ] as const);
  const turn = isSensible ? taken + 1 : taken + random.pick([0, 1, 1, 2]);
  return { kind: 'choose', taskId, turn, action, ...(random.chance(0.3) ? { text: 'mind the tests' } : {}) };
}
