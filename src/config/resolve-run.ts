// Everything that was said, once and for all: the configuration that is frozen with a run, and its tasks.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isMachineCheck } from '#kernel/check.ts';
import type { BudgetLimits } from '#kernel/budget.ts';
import type { RoleConfig, RunConfig } from '#kernel/config.ts';
import type { AgentChoice } from '#kernel/step.ts';
import type { Task } from '#kernel/task.ts';
import type { Preset } from '#policies/presets/index.ts';
import { presets } from '#policies/presets/index.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { castRoles, modelsOf } from './agents.ts';
import { criteriaOf } from './checks.ts';
import { defaultBudget, defaultCheckTimeoutMs, defaultPolicy, defaultSession } from './defaults.ts';
import { parseDuration } from './duration.ts';
import type { Environment } from './env-file.ts';
import type { RunFlags } from './flags.ts';
import { type HeldOutRecord, readHeldOut, withHeldOut } from './held-out.ts';
import { defaultKnowledge } from './knowledge.ts';
import { flagLayer } from './flags.ts';
import type { Layer } from './layers.ts';
import { setting } from './layers.ts';
import { loadSettings } from './load.ts';
import { settlePayers } from './payer.ts';
import { planTasks } from './plan-tasks.ts';
import { promptsOf } from './role-prompts.ts';
import { withReviewers } from './reviewers.ts';
import { sanityCheckCommand, sanityCriterion, sanityGoal, sanityPrompts } from './sanity-check.ts';
import { suggest } from './suggest.ts';
import type { MakeInfer } from './written-criteria.ts';

/** Where a run is started; a `Site` of compose fits. */
export interface StartPlace {
  readonly cwd: string;
  readonly root: string;
  readonly prefix: string;
  readonly repoId: string;
  readonly env: Environment;
  /** Without the repository's `.env`. */
  readonly ownEnv: Environment;
  readonly head: { readonly commit: string; readonly branch: string | null };
}

export interface RunRequest {
  readonly goal: string | undefined;
  readonly flags: RunFlags;
  readonly sanityCheck: boolean;
  /** Where its file is written; not in a repository that is somebody's own. */
  readonly sanityIn?: 'temporary' | 'workspace';
  /** From a sentence to checks; compose has one. */
  readonly infer?: MakeInfer;
}

export interface ResolvedRun {
  readonly config: RunConfig;
  readonly tasks: readonly Task[];
  /** Kept with the authority, never in the journal. */
  readonly heldOut: readonly HeldOutRecord[];
  /** What the person should know before money is spent. */
  readonly notes: readonly string[];
}

export async function resolveRun(
  place: StartPlace,
  { goal, flags, sanityCheck, sanityIn = 'temporary', infer }: RunRequest,
): Promise<ResolvedRun> {
  const { merged, projectFile, userFile } = await loadSettings({ ...place, flags: flagLayer(flags) });
  const chosen = { preset: findPreset(merged), settings: merged };
  const { preset, settings } = sanityCheck ? chosen : withReviewers(chosen.preset, merged);
  const checks = sanityCheck
    ? [{ id: sanityCriterion, run: sanityCheckCommand(sanityIn) }]
    : (setting(settings, 'checks') ?? []);
  const mayChange = setting(settings, 'mayChange') ?? [];
  const timeoutMs = durationOf(settings, 'check.timeout', defaultCheckTimeoutMs);
  const plan = await planTasks(place, settings, preset, {
    goal: sanityCheck ? sanityGoal : goal,
    checks: criteriaOf(checks, timeoutMs),
    mayChange,
    timeoutMs,
    isPlain: sanityCheck,
    ...(infer === undefined ? {} : { infer }),
  });
  const cast = await castRoles({
    settings,
    flags: flags.agent ?? [],
    roles: Object.keys(preset.roles),
    tasks: plan.tasks.map((task) => task.id),
    cwd: place.cwd,
    env: place.env,
  });
  const heldOut = sanityCheck
    ? []
    : await readHeldOut(place.root, settings, { files: flags.heldOut ?? [], timeoutMs, userFile });
  const shown = plan.tasks.map((task) => withAgents(task, cast.tasks.get(task.id)));
  const tasks = withHeldOut(shown, heldOut);
  const agents = await settlePayers({
    agents: cast.agents,
    env: place.env,
    ownEnv: place.ownEnv,
    wish: setting(settings, 'pay') ?? null,
    models: modelsOf(cast),
    read: (path) => readFile(path, 'utf8').catch(() => null),
  });
  const prompts = sanityCheck
    ? sanityPrompts(sanityIn)
    : await promptsOf(place, settings, preset, projectFile);
  const frozen = {
    agents,
    knowledge: knowledgeOf(settings),
    roles: rolesOf(preset, cast.choices, prompts, settings),
    policy: {
      ...defaultPolicy,
      mayLeaveTreeUnchanged: sanityCheck,
      cooldownMs: durationOf(settings, 'cooldown', preset.limits.cooldownMs),
      ...plan.policy,
    },
    setup: setupOf(settings),
    knownRed: knownRedOf(settings, sanityCheck ? null : tasks),
    checkEnv: setting(settings, 'check.env') ?? [],
    ...flakyOf(settings),
    mayChange,
    ...tamperOf(settings),
  };
  const config: RunConfig = {
    preset: preset.name,
    goal: plan.goal,
    key: hash([preset.name, plan.goal]),
    inputs: hash([frozen, tasks, place.prefix, setting(settings, 'inPlace') ?? false]),
    repo: repoOf(place, settings),
    budget: budgetOf(settings, sanityCheck ? 1 : attemptsOf(settings, preset)),
    ...frozen,
  };
  return { config, tasks, heldOut, notes: [...notesOf(plan.file, tasks), ...plan.notes] };
}

function withAgents(task: Task, agents: Task['agents']): Task {
  return agents === undefined ? task : { ...task, agents };
}

function findPreset(settings: Layer): Preset {
  const name = setting(settings, 'preset') ?? '';
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (preset !== undefined) return preset;
  const near = suggest(name, Object.keys(presets));
  throw new OperatorError(
    'unknown-preset',
    `There is no preset "${name}".`,
    near === null ? `There is ${Object.keys(presets).join(', ')}.` : `Did you mean "${near}"?`,
  );
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

/** The loops of the preset take the place of the general limit; what a person said beats both. */
function attemptsOf(settings: Layer, preset: Preset): number {
  const loops = setting(settings, 'maxLoops');
  if (loops !== undefined) return loops;
  const isSaid = settings.get('budget.attempts')?.origin.kind !== 'default';
  return (isSaid ? setting(settings, 'budget.attempts') : undefined) ?? preset.limits.attemptsMax;
}

function budgetOf(settings: Layer, attemptsPerTask: number): BudgetLimits {
  const hours = setting(settings, 'budget.hours');
  return {
    sessions: setting(settings, 'budget.sessions') ?? defaultBudget.sessions,
    attemptsPerTask,
    activeMs: hours === undefined ? defaultBudget.activeMs : Math.round(hours * 3_600_000),
    usd: setting(settings, 'budget.usd') ?? defaultBudget.usd,
    tokens: setting(settings, 'budget.tokens') ?? defaultBudget.tokens,
    sessionUsd: setting(settings, 'budget.sessionUsd') ?? defaultBudget.sessionUsd,
    sessionTokens: setting(settings, 'budget.sessionTokens') ?? defaultBudget.sessionTokens,
  };
}

function knowledgeOf(settings: Layer): RunConfig['knowledge'] {
  const prices = { ...defaultKnowledge.prices };
  for (const [model, price] of Object.entries(setting(settings, 'prices') ?? {})) {
    const { input, output } = price;
    prices[model] = {
      input,
      output,
      cacheRead: price.cacheRead ?? input,
      cacheWrite: price.cacheWrite ?? input,
    };
  }
  const usageLimitWordings = [
    ...defaultKnowledge.usageLimitWordings,
    ...(setting(settings, 'usageLimits') ?? []),
  ];
  return { prices, usageLimitWordings };
}

function rolesOf(
  preset: Preset,
  choices: { readonly [role: string]: AgentChoice },
  prompts: { readonly [role: string]: string },
  settings: Layer,
): RunConfig['roles'] {
  const limits = {
    wallMs: durationOf(settings, 'session.wall', defaultSession.wallMs),
    idleMs: durationOf(settings, 'session.idle', defaultSession.idleMs),
    graceMs: durationOf(settings, 'session.grace', defaultSession.graceMs),
  };
  const roles: { [role: string]: RoleConfig } = {};
  for (const [name, { prompt, words, readOnly }] of Object.entries(preset.roles)) {
    const agent = choices[name];
    if (agent !== undefined)
      roles[name] = { agent, prompt: prompts[name] ?? prompt, words, readOnly, limits };
  }
  return roles;
}

/** Only what differs from the default is frozen, so that nothing changes for runs that say nothing. */
function tamperOf(settings: Layer): Pick<RunConfig, 'tamper'> {
  return setting(settings, 'tamper.acceptedBy') === 'reviewer' ? { tamper: { acceptedBy: 'reviewer' } } : {};
}

/** Nothing where nothing is said: then a check that fails and passes on one tree never passes. */
function flakyOf(settings: Layer): Pick<RunConfig, 'flaky'> {
  const passes = setting(settings, 'check.flaky.passes') ?? null;
  const retries = setting(settings, 'check.flaky.retries') ?? passes ?? 0;
  return retries === 0 ? {} : { flaky: { retries, passes } };
}

function setupOf(settings: Layer): RunConfig['setup'] {
  const setup = setting(settings, 'setup');
  const command = setup === undefined || setup === false ? null : setup;
  return { command, isDetected: setup === undefined, copy: setting(settings, 'copy') ?? [] };
}

function durationOf(
  settings: Layer,
  path: 'check.timeout' | 'cooldown' | 'session.wall' | 'session.idle' | 'session.grace',
  fallbackMs: number,
): number {
  const given = setting(settings, path);
  return (given === undefined ? null : parseDuration(given)) ?? fallbackMs;
}

/** Contract: every id names a check of these tasks; a typing mistake would forgive nothing, silently. */
function knownRedOf(settings: Layer, tasks: readonly Task[] | null): RunConfig['knownRed'] {
  const given = setting(settings, 'knownRed') ?? [];
  if (given === 'all' || tasks === null) return given;
  const checks = tasks.flatMap((task) => task.criteria).filter(({ check }) => isMachineCheck(check));
  const ids = [...new Set(checks.map(({ id }) => id))];
  const stray = given.find((id) => !ids.includes(id));
  if (stray === undefined) return given;
  throw new OperatorError(
    'unknown-check',
    `${settings.get('knownRed')?.origin.where ?? 'knownRed'}: no check has the id "${stray}".`,
    ids.length === 0 ? 'There is no check; add one with --check.' : `The checks are ${ids.join(', ')}.`,
  );
}

function notesOf(planFile: string | null, tasks: readonly Task[]): string[] {
  const notes: string[] = [];
  if (planFile !== null) notes.push(`The plan is ${planFile}.`);
  const hasCheck = tasks.some((task) => task.criteria.some((criterion) => isMachineCheck(criterion.check)));
  if (!hasCheck)
    notes.push(
      'No check is configured: nothing but an agent will look at the work. Add one with --check "npm test".',
    );
  return notes;
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
