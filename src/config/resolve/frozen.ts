// Builds the configuration that is frozen with a run.
import { createHash } from 'node:crypto';
import type { PolicyConfig, RunConfig } from '#kernel/model/config.ts';
import type { Task } from '#kernel/model/task.ts';
import type { Cast } from '#config/agents/agents.ts';
import { fixedPolicy } from '#config/defaults.ts';
import { durationOf, type Layer, setting } from '#config/layers.ts';
import { type actionsFrom, modeFrom } from './actions.ts';
import { durableOf } from './durable.ts';
import { planFile } from './plan.ts';
import type { PlannedTasks } from './plan-tasks.ts';
import { type planningFrom, routingFrom } from './planning.ts';
import type { Chosen, RunRequest, StartPlace } from './resolve-run.ts';
import type { promptsOf } from './role-prompts.ts';
import { attemptsOf, budgetOf } from './run-limits.ts';
import {
  acceptReviewOf,
  calibrationOf,
  commitOf,
  flakyOf,
  reviewSetting,
  knowledgeOf,
  knownRedOf,
  rolesOf,
  setupOf,
  suspensionOf,
  tamperOf,
} from './run-parts.ts';
import { sandboxOf } from './sandbox.ts';

export interface Resolved extends Pick<Chosen, 'settings' | 'preset'> {
  readonly place: StartPlace;
  readonly request: RunRequest;
  readonly plan: PlannedTasks;
  readonly cast: Cast;
  readonly planning: ReturnType<typeof planningFrom>;
  readonly prompts: Awaited<ReturnType<typeof promptsOf>>;
  readonly actions: Awaited<ReturnType<typeof actionsFrom>>;
  /** With all their criteria. */
  readonly made: readonly Task[];
  /** Empty for a run that plans. */
  readonly tasks: readonly Task[];
}

export function configOf(resolved: Resolved): RunConfig {
  const { place, settings, preset, plan, tasks } = resolved;
  const { sanityCheck, planned, isTerminal = false } = resolved.request;
  const frozen = frozenOf(resolved);
  const attempts = sanityCheck ? 1 : attemptsOf(settings, preset);
  return {
    preset: preset.name,
    goal: plan.goal,
    key: hash([preset.name, plan.goal]),
    inputs: hash([withoutConsent(frozen), tasks, place.prefix, setting(settings, 'inPlace')]),
    repo: { ...repoOf(place, settings), ...(sanityCheck ? { inPlace: false } : {}) },
    budget: budgetOf(settings, attempts, planned?.tasks.length ?? tasks.length),
    ...frozen,
    ...durableOf(settings),
    // The mode may change from one terminal to the next, so it is not part of `inputs`.
    policy: withMode(frozen.policy, modeFrom(settings, isTerminal)),
    acceptReview: sanityCheck || acceptReviewOf(settings, plan.file === planFile(place.root, settings)),
  };
}

/** The part that distinguishes one start from another: other settings make another run. */
function frozenOf({ settings, preset, plan, cast, planning, prompts, actions, made, ...resolved }: Resolved) {
  const { sanityCheck } = resolved.request;
  return {
    agents: cast.agents,
    knowledge: knowledgeOf(settings),
    roles: rolesOf(preset, cast.choices, prompts, settings),
    policy: {
      // The order of the keys is part of `inputs`.
      reviewerErrorsMax: fixedPolicy.reviewerErrorsMax,
      setbacksMax: fixedPolicy.setbacksMax,
      limitWaitMsMax: durationOf(settings, 'usageLimit.maxWait'),
      stuckMax: setting(settings, 'stuck.max'),
      parallel: fixedPolicy.parallel,
      mayLeaveTreeUnchanged: sanityCheck,
      cooldownMs: durationOf(settings, 'cooldown') ?? preset.limits.cooldownMs,
      ...plan.policy,
      ...(planning === undefined ? {} : { planning }),
      ...(actions === undefined ? {} : { actions: { ...actions, mode: 'auto' as const } }),
      ...routingFrom(settings, cast.others),
    },
    // The temporary repository of a sanity check needs no setup.
    setup: sanityCheck ? { command: null, isDetected: false, copy: [] } : setupOf(settings),
    knownRed: knownRedOf(settings, sanityCheck ? null : made),
    checkEnv: setting(settings, 'check.env'),
    sandbox: sandboxOf(settings, cast.agents),
    ...flakyOf(settings),
    mayChange: setting(settings, 'mayChange'),
    ...tamperOf(settings),
    ...commitOf(settings),
    ...calibrationOf(settings, sanityCheck),
    ...reviewSetting(settings),
    ...suspensionOf(settings),
  };
}

function withMode(policy: PolicyConfig, mode: 'auto' | 'interactive'): PolicyConfig {
  return policy.actions === undefined ? policy : { ...policy, actions: { ...policy.actions, mode } };
}

function repoOf({ head, repoId, prefix }: StartPlace, settings: Layer): RunConfig['repo'] {
  return {
    repoId,
    prefix,
    baseCommit: head.commit,
    inPlace: setting(settings, 'inPlace'),
    protectedBranches: setting(settings, 'protectedBranches'),
    // Named after the run, whose id is not known yet.
    branch: '',
  };
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

/** Permission to start without a sandbox is not an input of a started run. */
function withoutConsent<Part extends Pick<RunConfig, 'sandbox'>>(frozen: Part): Part {
  const { sandbox } = frozen;
  return sandbox === undefined ? frozen : { ...frozen, sandbox: { ...sandbox, isRequired: true } };
}
