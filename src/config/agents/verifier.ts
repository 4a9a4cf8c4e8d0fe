// Decides whether a run has a verifier: it can be disabled, and a plain command is one only on request.
import { clipped } from '#base/bounded-text.ts';
import type { Task } from '#kernel/model/task.ts';
import { verifierRole } from '#policies/presets/builder-verifier.ts';
import { OperatorError } from '#base/operator-error.ts';
import { rolesInFlags, type TaskWish } from './agent-wishes.ts';
import type { Cast } from './agents.ts';
import type { RunFlags } from '#config/setting-table.ts';
import { type Layer, setting } from '#config/layers.ts';
import type { Preset } from '#policies/presets/preset.ts';

const verifier = 'verifier';

/** A preset and its settings, without the reviewers that the user removed. */
export interface Reviewing {
  readonly preset: Preset;
  readonly settings: Layer;
  /** Roles that the run does not have, although files may name agents for them. */
  readonly removed: readonly string[];
}

/**
 * `--verifier none` removes every reviewer; `verifier: false` in a file removes the preset's own, unless a
 * flag names an agent for it.
 */
export function withoutVerifier(preset: Preset, settings: Layer, flags: RunFlags): Reviewing {
  const isOff = setting(settings, 'verifier') === false;
  const isByFlag = settings.get('verifier')?.origin.kind === 'flag';
  const named = rolesInFlags(flags.agent ?? []);
  if (!isOff || (!isByFlag && named.includes(verifier))) return { preset, settings, removed: [] };
  const others = isByFlag ? (setting(settings, 'reviewers') ?? []).map(({ name }) => name) : [];
  const removed = [verifier, ...others];
  if (isByFlag) refuseContradiction(removed, named, flags);
  const kept = [...settings].filter(
    ([path]) => !(isByFlag && path === 'reviewers') && !removed.some((role) => isAbout(path, role)),
  );
  const { [verifier]: _, ...roles } = preset.roles;
  const tasks: Preset['tasks'] = (input) =>
    preset.tasks(input).map((task) => withoutReviewer(task, verifier));
  return { preset: { ...preset, roles, tasks }, settings: new Map(kept), removed };
}

function isAbout(path: string, role: string): boolean {
  return path.startsWith(`roles.${role}.`) || (path.startsWith('tasks.') && path.endsWith(`.agents.${role}`));
}

function refuseContradiction(
  removed: readonly string[],
  named: readonly string[],
  { acceptReview }: RunFlags,
): void {
  const role = removed.find((one) => named.includes(one));
  if (role !== undefined)
    throw new OperatorError(
      'bad-flag',
      `--verifier none removes the ${role}, but --agent ${role}=… names an agent for it.`,
      'Use one of them.',
    );
  if (acceptReview === true)
    throw new OperatorError(
      'bad-flag',
      '--accept-review needs a reviewer, but --verifier none removes it.',
      'Use one of them.',
    );
}

/** The wishes of a task file or a plan, for roles that the run has. */
export function withoutRemoved(wishes: readonly TaskWish[], removed: readonly string[]): readonly TaskWish[] {
  return wishes.filter(({ role }) => !removed.includes(role));
}

/** Roles whose agents must give a verdict. */
export function reviewerRoles({ roles }: Preset): string[] {
  return Object.keys(roles).filter((name) => roles[name] === verifierRole);
}

/**
 * The tasks, without a verifier that no agent can play.
 * Contract: refuses a configured reviewer that only a plain command could play.
 */
export function withVerdicts(
  tasks: readonly Task[],
  { tasks: own, withoutVerdicts }: Pick<Cast, 'tasks' | 'withoutVerdicts'>,
): readonly Task[] {
  return tasks.map((task) => {
    let left = task;
    for (const [role, agent] of withoutVerdicts) {
      if (own.get(task.id)?.[role] !== undefined || !hasReviewer(task, role)) continue;
      if (role !== verifier) throw unplayedReviewer(role, agent);
      left = withoutReviewer(left, role);
    }
    return left;
  });
}

function withoutReviewer(task: Task, role: string): Task {
  return {
    ...task,
    criteria: task.criteria.filter(({ check }) => check.kind !== 'reviewer' || check.role !== role),
  };
}

function hasReviewer({ criteria }: Task, role?: string): boolean {
  return criteria.some(
    ({ check }) => check.kind === 'reviewer' && (role === undefined || check.role === role),
  );
}

function unplayedReviewer(role: string, agent: string): OperatorError {
  return new OperatorError(
    'no-reviewer',
    `No agent is named for the reviewer ${role}, and ${shown(agent)} is a plain command that may print no verdict.`,
    `Name one: --agent ${role}=claude, or --agent "${role}=${pasted(agent)}" if that program prints verdicts.`,
  );
}

export function hasReviewers(tasks: readonly Task[]): boolean {
  return tasks.some((task) => hasReviewer(task));
}

/** Messages for a run without a verifier: why, and how to add one. `was` is with the verifier. */
export function verifierNotes(
  was: readonly Task[],
  is: readonly Task[],
  { settings, removed, withoutVerdicts }: Without,
): string[] {
  const lost = is.filter(({ id }) => was.some((task) => task.id === id && hasReviewer(task, verifier)));
  const bare = (removed.length > 0 ? is : lost).filter((task) => !hasReviewer(task, verifier));
  const reviewed = bare.some((task) => hasReviewer(task));
  const agent = withoutVerdicts.get(verifier);
  if (bare.length === 0 || (removed.length > 0 && reviewed)) return [];
  const whose = bare.length === is.length ? 'There is' : `For ${firstFew(bare)} there is`;
  const others = reviewed ? ' The other reviewers stay.' : '';
  if (agent === undefined) return [`${whose} no verifier (${sourceOf(settings)}).${others}`];
  return [
    `${whose} no verifier: ${shown(agent)} is a plain command and is not declared to print verdicts.${others} To let it review: --agent "verifier=${pasted(agent)}".`,
  ];
}

function sourceOf(settings: Layer): string {
  return settings.get(verifier)?.origin.where ?? '';
}

type Without = Pick<Reviewing, 'settings' | 'removed'> & Pick<Cast, 'withoutVerdicts'>;

function firstFew(tasks: readonly Task[]): string {
  const ids = tasks.slice(0, 5).map(({ id }) => id);
  const rest = tasks.length - ids.length;
  return `${ids.length === 1 ? 'task' : 'tasks'} ${ids.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** A command line may hold a whole script. */
function shown(agent: string): string {
  return clipped(agent.replaceAll(/\s+/g, ' '), 80);
}

/** For double quotes in a shell; a command that would not survive there is not shown. */
function pasted(agent: string): string {
  return shown(agent) === agent && !/["$`\\!]/.test(agent) ? agent : 'command:…';
}
