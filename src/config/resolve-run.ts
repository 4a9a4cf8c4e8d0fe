// Everything that was said, once and for all: the configuration that is frozen with a run, and its tasks.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { PolicyConfig, RunConfig } from '#kernel/config.ts';
import type { Criterion } from '#kernel/criterion.ts';
import type { Task } from '#kernel/task.ts';
import type { Preset } from '#policies/presets/index.ts';
import { actionsFrom, modeFrom } from './actions.ts';
import type { Cast, CastInput } from './agents.ts';
import { castRoles, modelsOf } from './agents.ts';
import { criteriaOf } from './checks.ts';
import { defaultCheckTimeoutMs, defaultPolicy } from './defaults.ts';
import type { Environment } from './env-file.ts';
import type { RunFlags } from './flags.ts';
import { type HeldOutRecord, readHeldOut, withHeldOut } from './held-out.ts';
import { flagLayer } from './flags.ts';
import type { Layer } from './layers.ts';
import { setting } from './layers.ts';
import { loadSettings } from './load.ts';
import { settlePayers } from './payer.ts';
import { planFile } from './plan.ts';
import { fewSessions, planTasks } from './plan-tasks.ts';
import { planningFrom, routedAgents, routingFrom } from './planning.ts';
import { promptsOf } from './role-prompts.ts';
import { withReviewers } from './reviewers.ts';
import { attemptsNotes, attemptsOf, budgetOf, durationOf } from './run-limits.ts';
import {
  acceptReviewOf,
  saidReview,
  calibrationOf,
  findPreset,
  flakyOf,
  givenReview,
  knowledgeOf,
  knownRedOf,
  rolesOf,
  setupOf,
  commitOf,
  tamperOf,
} from './run-parts.ts';
import { sandboxOf } from './sandbox.ts';
import { sanityCheckCommand, sanityCriterion, sanityGoal, sanityPrompts } from './sanity-check.ts';
import {
  hasReviewers,
  reviewerRoles,
  verifierNotes,
  withoutRemoved,
  withoutVerifier,
  withVerdicts,
} from './verifier.ts';
import type { MakeInfer } from './written-criteria.ts';

/** Where a run is started; a `Site` of compose fits. */
export interface StartPlace {
  readonly cwd: string;
  readonly root: string;
  readonly prefix: string;
  readonly repoId: string;
  /** Absent where answers given at a terminal are not kept. */
  readonly stateHome?: string;
  readonly env: Environment;
  /** Without the repository's `.env`. */
  readonly ownEnv: Environment;
  readonly head: { readonly commit: string; readonly branch: string | null };
}

export interface RunRequest {
  readonly goal: string | undefined;
  readonly flags: RunFlags;
  /** For a temporary repository: its file is written into the workspace. */
  readonly sanityCheck: boolean;
  /** Tasks of a plan that is brought along, and who is to work on them. */
  readonly planned?: Pick<CastInput, 'tasks' | 'ofTasks'>;
  /** Whether a person sits at a terminal that can show a menu. */
  readonly isTerminal?: boolean;
  /** From a sentence to checks; compose has one. */
  readonly infer?: MakeInfer;
}

export interface ResolvedRun {
  readonly config: RunConfig;
  readonly tasks: readonly Task[];
  /** Who works on single tasks of a plan that was brought along. */
  readonly agentsOfTasks: Cast['tasks'];
  /** Kept with the authority, never in the journal. */
  readonly heldOut: readonly HeldOutRecord[];
  /** False once a flag, a file or an answer says whether a review counts as proof. */
  readonly isReviewOpen: boolean;
  /** What the person should know before money is spent. */
  readonly notes: readonly string[];
}

export async function resolveRun(
  place: StartPlace,
  { goal, flags, sanityCheck, planned, infer, isTerminal = false }: RunRequest,
): Promise<ResolvedRun> {
  const { merged, projectFile, userFile } = await loadSettings({ ...place, flags: flagLayer(flags) });
  const found = findPreset(merged);
  const { removed, ...chosen } = sanityCheck
    ? { preset: found, settings: merged, removed: [] }
    : withoutVerifier(found, merged, flags);
  const { preset, settings } = sanityCheck ? chosen : withReviewers(chosen.preset, chosen.settings);
  const checks = sanityCheck
    ? [{ id: sanityCriterion, run: sanityCheckCommand() }]
    : (setting(settings, 'checks') ?? []);
  const timeoutMs = durationOf(settings, 'check.timeout', defaultCheckTimeoutMs);
  const plan = await planTasks(place, settings, preset, {
    goal: sanityCheck ? sanityGoal : goal,
    checks: criteriaOf(checks, timeoutMs),
    mayChange: setting(settings, 'mayChange') ?? [],
    timeoutMs,
    isPlain: sanityCheck,
    ...(infer === undefined ? {} : { infer }),
  });
  const cast = await castAndPay(place, settings, {
    flags: flags.agent ?? [],
    roles: Object.keys(preset.roles),
    tasks: preset.planning === undefined ? plan.tasks.map((task) => task.id) : [],
    ...planned,
    ofTasks: withoutRemoved(planned?.ofTasks ?? plan.agents, removed),
    others: routedAgents(settings),
    // A sanity check shows whether an agent can be a verifier at all.
    reviewers: sanityCheck ? [] : reviewerRoles(preset),
  });
  const asked = withVerdicts(plan.tasks, cast);
  const heldOut = sanityCheck
    ? []
    : await readHeldOut(place.root, settings, { files: flags.heldOut ?? [], timeoutMs, userFile });
  const shown = asked.map((task) => withAgents(task, cast.tasks.get(task.id)));
  const made = withHeldOut(withHook(shown, settings, timeoutMs), heldOut);
  // A run that plans has no task yet; what was asked of the whole is kept for its end.
  const planning = planningFrom(settings, preset, made[0]);
  const tasks = planning === undefined ? made : [];
  const prompts = sanityCheck ? sanityPrompts : await promptsOf(place, settings, preset, projectFile);
  const actions = await actionsFrom(place, settings, preset, projectFile);
  const frozen = frozenOf({
    settings,
    preset,
    sanityCheck,
    plan,
    cast,
    planning,
    prompts,
    actions,
    tasks: made,
  });
  const config: RunConfig = {
    preset: preset.name,
    goal: plan.goal,
    key: hash([preset.name, plan.goal]),
    inputs: hash([withoutConsent(frozen), tasks, place.prefix, setting(settings, 'inPlace') ?? false]),
    repo: { ...repoOf(place, settings), ...(sanityCheck ? { inPlace: false } : {}) },
    budget: budgetOf(
      settings,
      sanityCheck ? 1 : attemptsOf(settings, preset),
      planned?.tasks.length ?? tasks.length,
    ),
    ...frozen,
    // Who chooses may change from one terminal to the next: it is no part of `inputs`.
    policy: withMode(frozen.policy, modeFrom(settings, isTerminal)),
    acceptReview: sanityCheck || acceptReviewOf(settings, plan.file === planFile(place.root, settings)),
  };
  const notes = [
    ...verifierNotes(plan.tasks, made, { settings, removed, withoutVerdicts: cast.withoutVerdicts }),
    ...(plan.file === null ? [] : [`The plan is ${plan.file}.`]),
    ...plan.notes,
    ...fewSessions(settings, tasks),
    ...attemptsNotes(settings),
  ];
  const isReviewOpen = saidReview(settings) === undefined && hasReviewers(made);
  return { config, tasks, agentsOfTasks: cast.tasks, heldOut, notes, isReviewOpen };
}

interface Resolved {
  readonly settings: Layer;
  readonly preset: Preset;
  readonly sanityCheck: boolean;
  readonly plan: Awaited<ReturnType<typeof planTasks>>;
  readonly cast: Cast;
  readonly planning: ReturnType<typeof planningFrom>;
  readonly prompts: Awaited<ReturnType<typeof promptsOf>>;
  readonly actions: Awaited<ReturnType<typeof actionsFrom>>;
  readonly tasks: readonly Task[];
}

function withMode(policy: PolicyConfig, mode: 'auto' | 'interactive'): PolicyConfig {
  return policy.actions === undefined ? policy : { ...policy, actions: { ...policy.actions, mode } };
}

/** What tells one start from another: with other settings it is another run. */
function frozenOf(resolved: Resolved) {
  const { settings, preset, sanityCheck, plan, cast, planning, prompts, actions, tasks } = resolved;
  return {
    agents: cast.agents,
    knowledge: knowledgeOf(settings),
    roles: rolesOf(preset, cast.choices, prompts, settings),
    policy: {
      ...defaultPolicy,
      mayLeaveTreeUnchanged: sanityCheck,
      cooldownMs: durationOf(settings, 'cooldown', preset.limits.cooldownMs),
      ...plan.policy,
      stuckMax: setting(settings, 'stuck.max') ?? defaultPolicy.stuckMax ?? 0,
      ...(planning === undefined ? {} : { planning }),
      ...(actions === undefined ? {} : { actions: { ...actions, mode: 'auto' as const } }),
      ...routingFrom(settings, cast.others),
    },
    // What a repository needs set up is not in the one that a sanity check gets.
    setup: sanityCheck ? { command: null, isDetected: false, copy: [] } : setupOf(settings),
    knownRed: knownRedOf(settings, sanityCheck ? null : tasks),
    checkEnv: setting(settings, 'check.env') ?? [],
    sandbox: sandboxOf(settings, cast.agents),
    ...flakyOf(settings),
    mayChange: setting(settings, 'mayChange') ?? [],
    ...tamperOf(settings),
    ...commitOf(settings),
    ...calibrationOf(settings, sanityCheck),
    ...givenReview(settings),
  };
}

/** Who plays which role, with the one who pays for each. */
async function castAndPay(
  { cwd, env, ownEnv }: StartPlace,
  settings: Layer,
  who: Pick<CastInput, 'flags' | 'roles' | 'tasks' | 'ofTasks' | 'others' | 'reviewers'>,
): Promise<Cast> {
  const cast = await castRoles({ settings, cwd, env, ...who });
  const agents = await settlePayers({
    agents: cast.agents,
    env,
    ownEnv,
    wish: setting(settings, 'pay') ?? null,
    models: modelsOf(cast),
    read: (path) => readFile(path, 'utf8').catch(() => null),
  });
  return { ...cast, agents };
}

/** Every task's work must pass it, as every commit of a person's must. */
function withHook(tasks: readonly Task[], settings: Layer, timeoutMs: number): readonly Task[] {
  if (setting(settings, 'preCommitHook') !== true) return tasks;
  const hook: Criterion = {
    id: 'pre-commit',
    text: 'the pre-commit hook passes',
    kind: 'exit',
    required: true,
    when: 'attempt',
    check: { kind: 'hook', timeoutMs },
  };
  return tasks.map((task) => ({ ...task, criteria: [...task.criteria, hook] }));
}

function withAgents(task: Task, agents: Task['agents']): Task {
  return agents === undefined ? task : { ...task, agents };
}

function repoOf({ head, repoId, prefix }: StartPlace, settings: Layer): RunConfig['repo'] {
  return {
    repoId,
    prefix,
    baseCommit: head.commit,
    inPlace: setting(settings, 'inPlace') ?? false,
    protectedBranches: setting(settings, 'protectedBranches') ?? [],
    // Named after the run, whose id is not known yet.
    branch: '',
  };
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

/** Whether a run may start without a sandbox is no input of one that has started. */
function withoutConsent<Part extends Pick<RunConfig, 'sandbox'>>(frozen: Part): Part {
  const { sandbox } = frozen;
  return sandbox === undefined ? frozen : { ...frozen, sandbox: { ...sandbox, isRequired: true } };
}
