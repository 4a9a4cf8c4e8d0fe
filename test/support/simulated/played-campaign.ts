// Plays a campaign to its end without a world: scripted answers, and everything else succeeds.
import type { RunConfig } from '#kernel/model/config.ts';
import type { Verdict } from '#kernel/model/criterion.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { SettledPlan } from '#kernel/planning/plan.ts';
import type { SessionResult, Step } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import { campaign } from '#policies/presets/campaign.ts';
import type { PlayedRun } from './simulated-run.ts';
import {
  commandCriterion,
  playRun,
  simulatedBudget,
  simulatedPolicy,
  simulatedTask,
} from './simulated-run.ts';

export interface CampaignScript {
  /** What the architect's n-th answer turns out to be, from 1. */
  plan(answer: number): SettledPlan;
  /** How the checks of a task end after its n-th builder, from 1; it passes where nothing is said. */
  verdict?(taskId: string, attempt: number, criterionId: string): Verdict;
  /** What every check prints after a task's n-th builder; nothing where nothing is said. */
  output?(taskId: string, attempt: number): string;
  /** On the tree that a task starts from; it fails where nothing is said. */
  onBase?(taskId: string, criterionId: string): Verdict;
  /** How the files look that a builder leaves. */
  tree?(taskId: string, attempt: number): string;
  /** What else is known of how a session ended. */
  session?(step: Step): Partial<SessionResult>;
  /** The reflector's n-th answer, from 1. */
  reflection?(answer: number): string;
  readonly planning?: Partial<NonNullable<RunConfig['policy']['planning']>>;
  readonly policy?: Partial<RunConfig['policy']>;
  readonly budget?: Partial<RunConfig['budget']>;
}

export interface PlayedCampaign extends PlayedRun {
  /** Continues until no step starts, or until a step that is left open; returns the sessions that were started. */
  goOn(until?: (step: Step) => boolean): string[];
}

export function tasksNamed(...ids: string[]): Task[] {
  return ids.map((id) => simulatedTask(id));
}

export function planOf(tasks: readonly Task[], known: Partial<SettledPlan> = {}): SettledPlan {
  return { problems: [], tasks, dropped: [], notes: [], ...known };
}

export function playCampaign(script: CampaignScript): PlayedCampaign {
  const { roles, planning, policy } = campaign;
  if (planning === undefined) throw new Error('a campaign plans');
  const played = playRun({
    tasks: [],
    policy,
    config: {
      preset: 'campaign',
      roles: Object.fromEntries(
        Object.entries(roles).map(([name, role]) => [
          name,
          {
            ...role,
            agent: { name: 'simulated', model: null },
            limits: { wallMs: 1, idleMs: 1, graceMs: 1 },
          },
        ]),
      ),
      policy: simulatedPolicy({
        ...script.policy,
        planning: {
          ...planning,
          approval: 'nobody',
          deadEnd: 'end',
          criteria: [],
          everyTask: [],
          constraints: '',
          ...script.planning,
        },
      }),
      budget: simulatedBudget({
        sessions: 1000,
        usd: 5000,
        tokens: 1e9,
        attemptsPerTask: 4,
        ...script.budget,
      }),
    },
  });
  return { ...played, goOn: (until = () => false) => goOn(played, script, until) };
}

function goOn(played: PlayedRun, script: CampaignScript, until: (step: Step) => boolean): string[] {
  const sessions: string[] = [];
  for (let rounds = 0; rounds < 100_000; rounds += 1) {
    const steps = played.begin();
    if (steps.length === 0) return sessions;
    for (const step of steps) {
      if (step.deed.kind === 'session') sessions.push(step.taskId ?? step.deed.role);
      if (until(step)) return sessions;
      answer(played, script, step);
    }
  }
  throw new Error('a campaign without end');
}

function answer(played: PlayedRun, script: CampaignScript, step: Step): void {
  const { deed, stepId, taskId } = step;
  const end = (result: (Fact & { type: 'step-ended' })['result']): void =>
    played.record({ type: 'step-ended', stepId, result });
  switch (deed.kind) {
    case 'prepare':
      return end({ kind: 'prepare', baseCommit: 'c0', baseTree: 'base', branch: 'untildone/run', pins: [] });
    case 'survey':
      return end({ kind: 'survey', map: 'the map', memory: 'what git remembers' });
    case 'settle-plan':
      return end({ kind: 'settle-plan', ...script.plan(Number(deed.text)) });
    case 'session':
      return played.endSession(step, { ...sessionOf(script, step), ...script.session?.(step) });
    case 'check':
      return played.endCheck(step, verdictsOf(played, script, step), {
        tail: script.output?.(taskId ?? '', attemptOf(played, taskId ?? '')) ?? '',
      });
    case 'commit':
      return played.endCommit(step, `c-${taskId ?? ''}-${stepId}`);
    case 'reproduce':
      return end({ kind: 'reproduce' });
  }
}

function sessionOf(script: CampaignScript, { deed, taskId }: Step): Partial<SessionResult> {
  if (deed.kind !== 'session') return {};
  if (deed.role === 'architect') return { signal: { kind: 'report', text: String(deed.ordinal) } };
  if (deed.role === 'reflector') {
    const text = script.reflection?.(deed.ordinal) ?? '{"aligned": true, "reason": "it does"}';
    return { signal: { kind: 'report', text } };
  }
  const tree = script.tree?.(taskId ?? '', deed.attempt) ?? `${taskId ?? ''}-${deed.attempt}-${deed.ordinal}`;
  return { endTree: tree };
}

function verdictsOf(played: PlayedRun, script: CampaignScript, { deed }: Step): { [id: string]: Verdict } {
  if (deed.kind !== 'check') return {};
  return Object.fromEntries(
    deed.criteria.map(({ taskId, criterionId }) => {
      if (deed.purpose === 'base') return [criterionId, script.onBase?.(taskId, criterionId) ?? 'fail'];
      if (deed.purpose === 'acceptance') return [criterionId, 'pass'];
      return [criterionId, script.verdict?.(taskId, attemptOf(played, taskId), criterionId) ?? 'pass'];
    }),
  );
}

function attemptOf({ run }: PlayedRun, taskId: string): number {
  const task = run.tasks.get(taskId);
  return (task?.attempt ?? 1) - (task?.forgiven ?? 0);
}

export { commandCriterion };
