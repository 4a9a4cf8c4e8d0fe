// The agents requested for one role or one task: `--agent` of the command line, `tasks` of the files.
import { OperatorError } from '#base/operator-error.ts';
import { type Layer, setting } from '#config/layers.ts';
import { didYouMean } from '#base/suggest.ts';

export interface AgentWishes {
  /** The agent from the command line for a role of every task. */
  forRole(role: string): string | undefined;
  /** The agent that the command line names for every role, if it may not play this one. */
  unfitFor(role: string): string | undefined;
  /** The agent for a role of this task alone. Any flag beats the files, even a less specific one. */
  forTask(taskId: string, role: string): string | undefined;
  /** The place in a task file that says so; null if none does. */
  whereFor(taskId: string, role: string): string | null;
}

export interface Sources {
  readonly flags: readonly string[];
  readonly settings: Layer;
  readonly roles: readonly string[];
  /** Ids. */
  readonly tasks: readonly string[];
  /** A task file's wishes for its own tasks: stronger than those for all, weaker than a flag for the task. */
  readonly ofTasks?: readonly TaskWish[];
}

export interface TaskWish extends AgentWish {
  /** `tasks.md:12` */
  readonly where: string;
}

/** Contract: refuses unknown roles and tasks. `isFit`: whether an agent for every role may play this one. */
export function agentWishes(
  sources: Sources,
  isFit: (role: string, text: string) => boolean = () => true,
): AgentWishes {
  const flags = flagWishes(sources);
  const files = fileWishes(sources);
  const own = sources.ofTasks ?? [];
  for (const wish of own) refuseUnknown(wish, sources, { code: 'bad-task-file', where: wish.where });
  const common = textOf(flags, '', '');
  const unfitFor = (role: string): string | undefined =>
    common === undefined || isFit(role, common) ? undefined : common;
  const forRole = (role: string): string | undefined =>
    textOf(flags, '', role) ??
    (hasOwnAgent(sources.settings, role) || unfitFor(role) !== undefined ? undefined : common);
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

/** A reviewer got its own agent for an independent view: only a flag with its name replaces that agent. */
function hasOwnAgent(settings: Layer, role: string): boolean {
  const reviewers = setting(settings, 'reviewers') ?? [];
  return reviewers.some(({ name, agent }) => name === role && agent !== undefined);
}

interface AgentWish {
  /** '' is every task. */
  readonly taskId: string;
  /** '' is every role. */
  readonly role: string;
  /** `NAME`, `NAME:model`, or a driver with its command. */
  readonly text: string;
}

function textOf(wishes: readonly AgentWish[], taskId: string, role: string): string | undefined {
  return wishes.findLast((wish) => wish.taskId === taskId && wish.role === role)?.text;
}

function flagWishes(sources: Sources): AgentWish[] {
  return sources.flags.map((flag) => {
    const wish = readFlag(flag);
    if (wish.role !== '') refuseUnknown(wish, sources, { code: 'bad-flag', where: `--agent ${flag}` });
    return wish;
  });
}

function readFlag(flag: string): AgentWish {
  const found = /^(?:([\w.-]+)\/)?([A-Za-z][\w-]*)=(.+)$/s.exec(flag);
  if (found === null) return { taskId: '', role: '', text: flag };
  const [, taskId = '', role = '', text = ''] = found;
  return { taskId, role, text };
}

/** Roles that `--agent` names, for every task or for one. */
export function rolesInFlags(flags: readonly string[]): string[] {
  return flags.map((flag) => readFlag(flag).role).filter((role) => role !== '');
}

function fileWishes(sources: Sources): AgentWish[] {
  const wishes: AgentWish[] = [];
  for (const [path, { value, origin }] of sources.settings) {
    const found = /^tasks\.(.+)\.agents\.([^.]+)$/s.exec(path);
    if (found === null || typeof value !== 'string') continue;
    const wish = { taskId: found[1] ?? '', role: found[2] ?? '', text: value };
    refuseUnknown(wish, sources, { code: 'bad-config', where: origin.where });
    wishes.push(wish);
  }
  return wishes;
}

function refuseUnknown(
  { taskId, role, text }: AgentWish,
  { roles, tasks }: Sources,
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

/** If the preset has no verifier, only the configuration can add a reviewer. */
function reviewerHint(agent: string): string {
  const reviewer = JSON.stringify({ name: 'second', agent: agent.length > agentMax ? 'claude' : agent });
  return `To add a reviewer: "reviewers": [${reviewer}] in .untildone/config.jsonc.`;
}

function instead(what: string, word: string, known: readonly string[]): string {
  const rest = known.length > 8 ? ', …' : '';
  return didYouMean(word, known) ?? `The ${what} are ${known.slice(0, 8).join(', ')}${rest}.`;
}
