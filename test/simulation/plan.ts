// Random parts of a simulated run: its configuration, its tasks, and how often its world fails.
import { simulatedConfig, simulatedPolicy } from '#test/simulated/simulated-run.ts';
import type { BudgetLimits } from '#kernel/model/budget.ts';
import type { LoopSettings, RoleConfig, RunConfig } from '#kernel/model/config.ts';
import type { FlakyPolicy } from '#kernel/model/flaky.ts';
import type { Policy } from '#kernel/decide/policy.ts';
import type { Task } from '#kernel/model/task.ts';
import { defaultLoops } from '#policies/loops/loop-settings.ts';
import { builderVerifier } from '#policies/presets/builder-verifier.ts';
import { actions } from '#policies/presets/actions.ts';
import { campaign } from '#policies/presets/campaign.ts';
import { criteria } from '#policies/presets/criteria.ts';
import { builderTemplate } from '#policies/prompts/builder-template.ts';
import { verifierTemplate } from '#policies/prompts/verifier-template.ts';
import { actionsConfig } from './actions.ts';
import { campaignConfig } from './campaign.ts';
import type { Random } from './random.ts';
import { planTask } from './tasks.ts';
import type { WaitPlan } from './waiting/plan-waits.ts';
import { planWaits } from './waiting/plan-waits.ts';
import { writeTree } from './tree.ts';

export interface Plan {
  readonly config: RunConfig;
  readonly tasks: readonly Task[];
  readonly baseTree: string;
  readonly temper: Temper;
  /** Task by task, criterion by criterion, or by a plan that comes first. */
  readonly policy: Policy;
  /** Of a life with suspensions, days of waiting and clocks that jump by days. */
  readonly waits: WaitPlan | null;
}

export interface Temper {
  /** Crash points that a driver passes on average before it dies. */
  readonly pointsPerCrash: number;
  readonly crashesMax: number;
  readonly controlRate: number;
  readonly flakiness: number;
  /** Whether anybody can tell what a verdict depends on; then evidence is used again, and flaky checks are noticed. */
  readonly environmentIsKnown: boolean;
  readonly slowCallRate: number;
  readonly clockJumpRate: number;
  readonly agentTellsUsage: boolean;
  readonly agentCanBeInterrupted: boolean;
  readonly lockIsBroken: boolean;
  readonly secondDriverRate: number;
  readonly diskFillsOnce: boolean;
  readonly leavesWhenParked: boolean;
  /** How often a person returns to a parked run before forgetting it. */
  readonly helpsMax: number;
}

/** How far a task must be for each of its checks; the guard only asks that nothing broke. */
export const thresholds: { readonly [criterionId: string]: number } = {
  works: 3,
  part: 1,
  guard: 0,
  slow: 3,
  nice: 3,
  entry: 0,
};

export function planLife(random: Random): Plan {
  const count = random.weighted([
    [5, 1],
    [4, 2],
    [2, 3],
    [1, 4],
  ]);
  const tasks = Array.from({ length: count }, (_, index) => planTask(random, index));
  const { name, policy } = random.weighted([
    [1, actions],
    [5.5, builderVerifier],
    [2.5, criteria],
    [1, campaign],
  ]);
  const config = planConfig(random, count, name === 'criteria');
  const isPlanned = name === 'campaign';
  const temper = planTemper(random);
  return {
    tasks: isPlanned ? [] : tasks,
    policy,
    config: settingsOf(random, name, config),
    baseTree: planBase(random, tasks),
    // A person is there to approve a plan and to choose actions.
    temper: { ...temper, helpsMax: Math.max(temper.helpsMax, helpsMin[name] ?? 0) },
    waits: planWaits(random.fork()),
  };
}

const helpsMin: { readonly [preset: string]: number } = { campaign: 5, actions: 12 };

function settingsOf(random: Random, preset: string, config: RunConfig): RunConfig {
  if (preset === 'campaign') return campaignConfig(random, config);
  return preset === 'actions' ? actionsConfig(random, config) : config;
}

function planBase(random: Random, tasks: readonly Task[]): string {
  const levels: { [id: string]: number } = {};
  for (const task of tasks) if (random.chance(0.08)) levels[task.id] = 3;
  return writeTree({ levels, pinEdited: false, broken: random.chance(0.04), junk: false, salt: 0 });
}

function planConfig(random: Random, tasks: number, isLoop: boolean): RunConfig {
  const isPlain = random.chance(0.03);
  return {
    ...simulatedConfig(),
    roles: {
      builder: planRole(isPlain ? builderTemplate : '{{goal}} {{feedback}} {{told}}', false),
      verifier: planRole(isPlain ? verifierTemplate : '{{goal}} {{evidence}} {{report}}', true),
      security: planRole('{{goal}} {{diff}}', true),
    },
    policy: simulatedPolicy({
      cooldownMs: random.pick([0, 2000]),
      reviewerErrorsMax: 1 + random.int(3),
      parallel: tasks > 1 && random.chance(0.35) ? 2 : 1,
      mayLeaveTreeUnchanged: random.chance(0.04),
      ...(isLoop ? { loops: planLoops(random) } : {}),
    }),
    ...(random.chance(0.4) ? { flaky: planFlaky(random) } : {}),
    acceptReview: random.chance(0.3),
    budget: planBudget(random),
    knownRed: random.weighted<'all' | string[]>([
      [8, []],
      [1, 'all'],
      [1, ['slow', 'guard']],
    ]),
  };
}

function planLoops(random: Random): LoopSettings {
  const { maxRetries, maxIterations } = { maxRetries: 1 + random.int(4), maxIterations: 1 + random.int(6) };
  const pauseBetweenScenarios = random.chance(0.1);
  return {
    ...defaultLoops,
    maxRetries,
    maxIterations,
    pauseBetweenScenarios,
    commitEvery: 1 + random.int(3),
  };
}

function planFlaky(random: Random): FlakyPolicy {
  return { retries: random.int(4), passes: random.pick([null, 1, 2, 3]) };
}

function planRole(prompt: string, readOnly: boolean): RoleConfig {
  return {
    agent: { name: 'simulated', model: null },
    prompt,
    words: { done: '===DONE===', reportTag: readOnly ? 'verifier-report' : null },
    readOnly,
    limits: { wallMs: 60_000, idleMs: 30_000, graceMs: 1000 },
  };
}

function planBudget(random: Random): BudgetLimits {
  return {
    sessions: 2 + random.int(18),
    attemptsPerTask: 1 + random.int(7),
    activeMs: random.chance(0.06) ? 5000 + random.int(60_000) : 8 * 3_600_000,
    usd: random.chance(0.2) ? 1 + random.int(8) : 40,
    tokens: 20_000_000,
    sessionUsd: 1 + random.int(4),
    sessionTokens: 1_000_000,
  };
}

function planTemper(random: Random): Temper {
  return {
    pointsPerCrash: random.pick([15, 40, 120, 400]),
    crashesMax: random.pick([0, 3, 8, 20]),
    controlRate: random.pick([0, 0.002, 0.01]),
    flakiness: random.pick([0, 0, 0.05, 0.2]),
    environmentIsKnown: random.chance(0.6),
    slowCallRate: random.pick([0, 0.1]),
    clockJumpRate: random.pick([0, 0, 0.02]),
    agentTellsUsage: random.chance(0.9),
    agentCanBeInterrupted: random.chance(0.6),
    lockIsBroken: random.chance(0.12),
    secondDriverRate: random.pick([0, 0, 0.01]),
    diskFillsOnce: random.chance(0.08),
    leavesWhenParked: random.chance(0.7),
    helpsMax: random.pick([0, 3, 10]),
  };
}
