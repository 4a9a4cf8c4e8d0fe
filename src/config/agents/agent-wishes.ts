// What was said about agents for one role or one task: `--agent` of the command line, `tasks` of the files.
import { OperatorError } from '#base/operator-error.ts';
import { type Layer, setting } from '#config/layers.ts';
import { didYouMean } from '#base/suggest.ts';

export interface AgentWishes {
  /** What the command line says for a role of every task. */
  forRole(role: string): string | undefined;
  /** The agent that the command line names for every role, where it may not play this one. */
  unfitFor(role: string): string | undefined;
  /** What is said for a role of this task alone. The command line is stronger than the files, also where it says less. */
  forTask(taskId: string, role: string): string | undefined;
  /** Where a task file says so; null where it does not. */
  whereFor(taskId: string, role: string): string | null;
}

export interface Said {
  readonly flags: readonly string[];
  readonly settings: Layer;
  readonly roles: readonly string[];
  /** Ids. */
  readonly tasks: readonly string[];
  /** What a task file says of its own tasks: more than what is said of all of them, less than a flag that names the task. */
  readonly ofTasks?: readonly TaskWish[];
}

export interface TaskWish extends AgentWish {
  /** `tasks.md:12` */
  readonly where: string;
}

/** Contract: refuses a role and a task that there is not. `isFit` says whether an agent for every role may play this one. */
export function agentWishes(
  said: Said,
  isFit: (role: string, text: string) => boolean = () => true,
): AgentWishes {
  const flags = flagWishes(said);
  const files = fileWishes(said);
  const own = said.ofTasks ?? [];
  for (const wish of own) refuseUnknown(wish, said, { code: 'bad-task-file', where: wish.where });
  const common = textOf(flags, '', '');
  const unfitFor = (role: string): string | undefined =>
    common === undefined || isFit(role, common) ? undefined : common;
  const forRole = (role: string): string | undefined =>
    textOf(flags, '', role) ??
    (hasOwnAgent(said.settings, role) || unfitFor(role) !== undefined ? undefined : common);
  return {
    forRole,
    unfitFor,
    forTask: (taskId, role) =>
      textOf(flags, taskId, role) ??
      textOf(own, taskId, role) ??
      (forRole(role) === undefined ? textOf(files, taskId, role) : undefined),
    whereFor: (taskId, role) =>
      textOf(flags, taskId, role) === undefined
        ? (own.find((wish) => wish.taskId === taskId && wish.role === role)?.where ?? null)
        : null,
  };
}

/** A reviewer that was given an agent was given it to have other eyes: only its own name takes it away. */
function hasOwnAgent(settings: Layer, role: string): boolean {
  const reviewers = setting(settings, 'reviewers') ?? [];
  return reviewers.some(({ name, agent }) => name === role && agent !== undefined);
}

interface AgentWish {
  /** '' is every task. */
  readonly taskId: string;
  /** '' is every role. */
  readonly role: string;
  /** `NAME`, `NAME:model`, or a driver with what it is to run. */
  readonly text: string;
}

function textOf(wishes: readonly AgentWish[], taskId: string, role: string): string | undefined {
  return wishes.findLast((wish) => wish.taskId === taskId && wish.role === role)?.text;
}

function flagWishes(said: Said): AgentWish[] {
  return said.flags.map((flag) => {
    const wish = readFlag(flag);
    if (wish.role !== '') refuseUnknown(wish, said, { code: 'bad-flag', where: `--agent ${flag}` });
    return wish;
  });
}

function readFlag(flag: string): AgentWish {
  const found = /^(?:([\w.-]+)\/)?([A-Za-z][\w-]*)=(.+)$/s.exec(flag);
  if (found === null) return { taskId: '', role: '', text: flag };
  const [, taskId = '', role = '', text = ''] = found;
  return { taskId, role, text };
}

/** Roles that `--agent` names an agent for, for every task or for one. */
export function rolesInFlags(flags: readonly string[]): string[] {
  return flags.map((flag) => readFlag(flag).role).filter((role) => role !== '');
}

function fileWishes(said: Said): AgentWish[] {
  const wishes: AgentWish[] = [];
  for (const [path, { value, origin }] of said.settings) {
    const found = /^tasks\.(.+)\.agents\.([^.]+)$/s.exec(path);
    if (found === null || typeof value !== 'string') continue;
    const wish = { taskId: found[1] ?? '', role: found[2] ?? '', text: value };
    refuseUnknown(wish, said, { code: 'bad-config', where: origin.where });
    wishes.push(wish);
  }
  return wishes;
}

function refuseUnknown(
  { taskId, role, text }: AgentWish,
  { roles, tasks }: Said,
  { code, where }: { readonly code: string; readonly where: string },
): void {
  if (taskId !== '' && !tasks.includes(taskId)) {
    throw new OperatorError(code, `${where}: there is no task "${taskId}".`, instead('tasks', taskId, tasks));
  }
  if (!roles.includes(role)) {
    const hint = instead('roles', role, roles);
    const isReview = role === 'verifier' || role === 'reviewer';
    throw new OperatorError(
      code,
      `${where}: there is no role "${role}".`,
      isReview ? `${hint} ${reviewerHint(text)}` : hint,
    );
  }
}

const agentMax = 60;

/** A run whose preset has no verifier gets a reviewer by the configuration alone. */
function reviewerHint(agent: string): string {
  const reviewer = JSON.stringify({ name: 'second', agent: agent.length > agentMax ? 'claude' : agent });
  return `To add a reviewer: "reviewers": [${reviewer}] in .untildone/config.jsonc.`;
}

function instead(what: string, word: string, known: readonly string[]): string {
  const rest = known.length > 8 ? ', …' : '';
  return didYouMean(word, known) ?? `The ${what} are ${known.slice(0, 8).join(', ')}${rest}.`;
}
