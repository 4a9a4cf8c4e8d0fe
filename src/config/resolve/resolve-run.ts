// Resolves flags, files and environment once: into the frozen configuration of a run, and its tasks.
import type { RunConfig } from '#kernel/model/config.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Task } from '#kernel/model/task.ts';
import type { Preset } from '#policies/presets/preset.ts';
import type { Cast, CastInput } from '#config/agents/agents.ts';
import { withReviewers } from '#config/agents/reviewers.ts';
import {
  hasReviewers,
  type Reviewing,
  verifierNotes,
  withoutVerifier,
  withVerdicts,
} from '#config/agents/verifier.ts';
import type { Environment } from '#config/env-file.ts';
import { flagLayer } from '#config/flags.ts';
import type { RunFlags } from '#config/setting-table.ts';
import { durationOf, type Layer, setting } from '#config/layers.ts';
import { loadSettings, type Settings } from '#config/load.ts';
import { criteriaOf } from '#tasks/criteria/checks.ts';
import type { MakeInfer } from '#tasks/criteria/written-criteria.ts';
import { actionsFrom } from './actions.ts';
import { castOf } from './cast.ts';
import { configOf, type Resolved } from './frozen.ts';
import { type HeldOutRecord, readHeldOut, withHeldOut } from './held-out.ts';
import { fewSessions, type PlannedTasks, planTasks } from './plan-tasks.ts';
import { planningFrom } from './planning.ts';
import { promptsOf } from './role-prompts.ts';
import { attemptsNotes } from './run-limits.ts';
import { findPreset, configuredReview } from './run-parts.ts';
import { sanityCheckCommand, sanityCriterion, sanityGoal, sanityPrompts } from './sanity-check.ts';

/** Where a run is started; a `Site` of app/ fits. */
export interface StartPlace {
  readonly cwd: string;
  readonly root: string;
  readonly prefix: string;
  readonly repoId: string;
  /** Absent if answers given at a terminal are not stored. */
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
  /** Tasks of a supplied plan, and their agents. */
  readonly planned?: Pick<CastInput, 'tasks' | 'ofTasks'>;
  /** Whether a person is at a terminal that can show a menu. */
  readonly isTerminal?: boolean;
  /** Turns a sentence into checks; app/ provides it. */
  readonly infer?: MakeInfer;
}

export interface ResolvedRun {
  readonly config: RunConfig;
  readonly tasks: readonly Task[];
  /** Agents for single tasks of a supplied plan. */
  readonly agentsOfTasks: Cast['tasks'];
  /** Stored with the authority, never in the journal. */
  readonly heldOut: readonly HeldOutRecord[];
  /** False once a flag, a file or an answer decides whether a review counts as proof. */
  readonly isReviewOpen: boolean;
  /** Messages for the person before money is spent. */
  readonly notes: readonly string[];
}

/** The effective settings, and the preset as they shape it. */
export interface Chosen extends Reviewing, Pick<Settings, 'projectFile' | 'userFile'> {
  /** For a check without its own limit. */
  readonly timeoutMs: number;
}

/**
 * Contract: refuses errors in this order: settings, tasks, agents, reviewers, held-out checks, prompts,
 * actions, known-red checks.
 */
export async function resolveRun(place: StartPlace, request: RunRequest): Promise<ResolvedRun> {
  const { sanityCheck } = request;
  const chosen = await chosenOf(place, request);
  const { settings, preset, projectFile } = chosen;
  const plan = await planOf(place, request, chosen);
  const cast = await castOf(place, request, chosen, plan);
  const reviewed = withVerdicts(plan.tasks, cast);
  const heldOut = sanityCheck ? [] : await heldOutOf(place, request, chosen);
  const made = withChecks(withAgents(reviewed, cast), chosen, heldOut);
  // A run that plans has no task yet; the criteria of the whole wait for its end.
  const planning = planningFrom(chosen, made[0]);
  const tasks = planning === undefined ? made : [];
  const prompts = sanityCheck ? sanityPrompts : await promptsOf(place, settings, preset, projectFile);
  const actions = await actionsFrom(place, settings, preset, projectFile);
  const resolved = { place, request, settings, preset, plan, cast, planning, prompts, actions, made, tasks };
  return {
    config: configOf(resolved),
    tasks,
    agentsOfTasks: cast.tasks,
    heldOut,
    notes: notesOf(resolved, chosen),
    isReviewOpen: configuredReview(settings) === undefined && hasReviewers(made),
  };
}

async function chosenOf(place: StartPlace, { flags, sanityCheck }: RunRequest): Promise<Chosen> {
  const { merged, projectFile, userFile } = await loadSettings({ ...place, flags: flagLayer(flags) });
  const { preset, settings, removed } = reviewingOf(findPreset(merged), merged, { flags, sanityCheck });
  const timeoutMs = durationOf(settings, 'check.timeout');
  return { preset, settings, removed, projectFile, userFile, timeoutMs };
}

function reviewingOf(
  preset: Preset,
  settings: Layer,
  { flags, sanityCheck }: Pick<RunRequest, 'flags' | 'sanityCheck'>,
): Reviewing {
  if (sanityCheck) return { preset, settings, removed: [] };
  const left = withoutVerifier(preset, settings, flags);
  return { ...withReviewers(left.preset, left.settings), removed: left.removed };
}

function planOf(
  place: StartPlace,
  { goal, sanityCheck, infer }: RunRequest,
  { settings, preset, timeoutMs }: Chosen,
): Promise<PlannedTasks> {
  const checks = sanityCheck
    ? [{ id: sanityCriterion, run: sanityCheckCommand() }]
    : setting(settings, 'checks');
  return planTasks(place, settings, preset, {
    goal: sanityCheck ? sanityGoal : goal,
    checks: criteriaOf(checks, timeoutMs),
    mayChange: setting(settings, 'mayChange'),
    timeoutMs,
    isPlain: sanityCheck,
    ...(infer === undefined ? {} : { infer }),
  });
}

function heldOutOf(
  { root }: StartPlace,
  { flags }: RunRequest,
  { settings, timeoutMs, userFile }: Chosen,
): Promise<HeldOutRecord[]> {
  return readHeldOut(root, settings, { files: flags.heldOut ?? [], timeoutMs, userFile });
}

function withAgents(tasks: readonly Task[], cast: Cast): readonly Task[] {
  return tasks.map((task) => {
    const agents = cast.tasks.get(task.id);
    return agents === undefined ? task : { ...task, agents };
  });
}

/** With the checks of the whole run. */
function withChecks(
  tasks: readonly Task[],
  { settings, timeoutMs }: Chosen,
  heldOut: readonly HeldOutRecord[],
): readonly Task[] {
  return withHeldOut(withHook(tasks, settings, timeoutMs), heldOut);
}

/** Every task's work must pass the hook, as every commit of a person must. */
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

function notesOf({ settings, preset, plan, cast, made, tasks }: Resolved, { removed }: Chosen): string[] {
  return [
    ...verifierNotes(plan.tasks, made, { settings, removed, withoutVerdicts: cast.withoutVerdicts }),
    ...(plan.file === null ? [] : [`The plan is ${plan.file}.`]),
    ...plan.notes,
    ...fewSessions(settings, tasks),
    ...attemptsNotes(settings, preset),
  ];
}
