// The preflight items that follow from the settings of a run and from what its start found.
import { describeCheck, isMachineCheck } from '#kernel/model/check.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import { type Criterion, isExit } from '#kernel/model/criterion.ts';
import type { AgentChoice } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import { ownChoices, withDriver } from '#views/report/agents.ts';
import type { PreflightItem } from './preflight.ts';
import { sandboxNote } from '#views/report/sandbox.ts';
import { ceiling, count, paidWords, shortened } from '#views/words.ts';

export interface StartPoint {
  readonly branch: string | null;
  readonly commit: string;
  /** Changed and untracked files that the run does not get. */
  readonly uncommitted: readonly string[];
}

export function startItems(
  { inPlace }: RunConfig['repo'],
  { branch, commit, uncommitted }: StartPoint,
): PreflightItem[] {
  const where = inPlace
    ? "in your own checkout; your edits during the run count as the agent's"
    : 'on its own branch and worktree; your checkout is not touched';
  const start: PreflightItem = {
    mark: 'ok',
    about: 'starts from',
    text: `${branch ?? 'no branch'} at ${commit.slice(0, 7)}, ${where}`,
  };
  if (uncommitted.length === 0) return [start];
  const left: PreflightItem = {
    mark: 'warning',
    about: 'left out',
    text: `${count(uncommitted.length, 'uncommitted path')}, not part of the run: ${someOf(uncommitted, 60)}`,
    hint: 'Commit what the work needs; untracked files that only the checks need: --copy "GLOB"',
  };
  return [start, left];
}

/** As many names as fit, at least one. */
function someOf(names: readonly string[], lengthMax: number, between = ', '): string {
  const shown: string[] = [];
  for (const name of names) {
    if (shown.length > 0 && [...shown, name].join(between).length > lengthMax) break;
    shown.push(shortened(name, lengthMax));
  }
  const left = names.length - shown.length;
  return `${shown.join(between)}${left === 0 ? '' : ` and ${left} more`}`;
}

export function sandboxItem(config: Pick<RunConfig, 'sandbox'>): PreflightItem {
  const { sandbox } = config;
  const undescribed = sandbox?.undescribed ?? [];
  // Undescribed agents are listed below the line, which is long enough.
  const text = sandboxNote(sandbox === undefined ? {} : { sandbox: { ...sandbox, undescribed: [] } });
  const item: PreflightItem = { mark: text.startsWith('NOT') ? 'warning' : 'ok', about: 'sandbox', text };
  if (undescribed.length === 0) return item;
  const who = undescribed.map((name) => shortened(name, 40)).join(', ');
  const hint = `If ${who} cannot reach its login or model: sandbox.allowHosts, sandbox.allowWrite`;
  return { ...item, hint };
}

/** By agent; null if a client does not report its version. */
export type Versions = ReadonlyMap<string, string | null>;

/** A plan may have hundreds of tasks; the first lines of a run must stay short. */
const taskItemsMax = 6;

export function agentItems(config: RunConfig, tasks: readonly Task[], versions: Versions): PreflightItem[] {
  const known = new Map<string, string>();
  const itemOf = (about: string, agent: AgentChoice): PreflightItem => {
    const key = JSON.stringify([agent.name, agent.model]);
    const earlier = known.get(key);
    if (earlier === undefined) known.set(key, about);
    return earlier === undefined
      ? agentItem(config, { about, agent, version: versions.get(agent.name) ?? null })
      : { mark: 'ok', about, text: `${nameOf(config, agent)}, as the ${earlier}` };
  };
  const roles = Object.entries(config.roles).map(([role, { agent }]) => itemOf(role, agent));
  const own = ownChoices(tasks);
  const shown = own.slice(0, own.length > taskItemsMax ? taskItemsMax : own.length);
  const ofTasks = shown.map(({ taskId, role, agent }) => itemOf(`${taskId}/${role}`, agent));
  const left = own.length - shown.length;
  if (left === 0) return [...roles, ...ofTasks];
  return [...roles, ...ofTasks, { mark: 'ok', about: 'tasks', text: `${left} more roles of single tasks` }];
}

interface AgentLine {
  readonly about: string;
  readonly agent: AgentChoice;
  readonly version: string | null;
}

function agentItem(config: RunConfig, { about, agent, version }: AgentLine): PreflightItem {
  const { name, model } = agent;
  const payer = config.agents[name]?.payer;
  const isUnsure = payer?.kind === 'unknown' && payer.name.startsWith('no login');
  return {
    mark: isUnsure ? 'warning' : 'ok',
    about,
    text: `${nameOf(config, agent)}${version === null ? '' : ` ${version}`}, ${model === null ? 'its own model' : `model ${model}`}, ${paidWords(payer)}`,
  };
}

function nameOf({ agents }: RunConfig, { name }: AgentChoice): string {
  return withDriver(name, agents[name]?.driver ?? 'unknown');
}

/** Every other preset has a verifier role; tasks of a plan are reviewed only if that is configured. */
export function reviewersItems({ policy }: RunConfig, notes: readonly string[] = []): PreflightItem[] {
  if (policy.planning === undefined) return [];
  const roles = policy.planning.everyTask.flatMap(({ check }) =>
    check.kind === 'reviewer' ? [check.role] : [],
  );
  const about = 'reviewers';
  if (roles.length > 0)
    return [{ mark: 'ok', about, text: `${roles.join(', ')}; each must pass every task` }];
  const rest = 'only the checks of each task decide';
  const wish = notes.map((note) => noVerifier(note)?.wish).find((one) => one !== undefined);
  if (wish !== undefined) return [{ mark: 'ok', about, text: `none (${wish}); ${rest}` }];
  const hint =
    'To add one: "reviewers": [{ "name": "second", "agent": "claude" }] in .untildone/config.jsonc';
  return [{ mark: 'ok', about, text: `none; ${rest}`, hint }];
}

interface NoVerifier {
  /** Set if a person asked for that. */
  readonly wish: string | undefined;
  readonly why: string | undefined;
  readonly hint: string;
}

/** From the note that there is no verifier; null for any other note. */
function noVerifier(note: string): NoVerifier | null {
  const [found, why, wish, hint = ''] =
    /^There is no verifier(?:: (.+?)| \((.+?)\))\.(?= |$) ?(.*)$/.exec(note) ?? [];
  return found === undefined ? null : { why, wish, hint };
}

/** The criteria that decide in the end; for a run that plans, those of the goal. */
function criteriaOf({ policy }: RunConfig, tasks: readonly Task[]): readonly Criterion[] {
  const planned =
    policy.planning === undefined ? [] : [...policy.planning.criteria, ...policy.planning.everyTask];
  return [...planned, ...tasks.flatMap((task) => task.criteria)].filter(isExit);
}

const checksLength = 80;

export function checksItem(config: RunConfig, tasks: readonly Task[]): PreflightItem {
  const about = 'checks';
  const criteria = criteriaOf(config, tasks);
  const names = new Set(
    criteria.flatMap(({ check }) => (isMachineCheck(check) ? [describeCheck(check)] : [])),
  );
  const isPlanned = config.policy.planning !== undefined;
  if (names.size > 0)
    return {
      mark: 'ok',
      about,
      text: `${someOf([...names], checksLength, ' · ')} (run on the base first)`,
    };
  const who = criteria.some(({ check }) => check.kind === 'reviewer') ? 'a reviewer' : 'you';
  return {
    mark: 'warning',
    about,
    text: isPlanned
      ? 'none for the whole goal; each task has the criteria of the plan'
      : `none; only ${who} will review the work`,
    hint: 'Add one that fails today: --check "…"',
  };
}

export function proofItem(config: RunConfig, tasks: readonly Task[]): PreflightItem {
  const criteria = criteriaOf(config, tasks);
  const has = (kind: 'machine' | 'reviewer' | 'human'): boolean =>
    criteria.some(({ check }) => (isMachineCheck(check) ? kind === 'machine' : check.kind === kind));
  const { acceptReview = true } = config;
  const ways = [
    ...(has('machine') ? ['a check that turns from red to green'] : []),
    ...(has('reviewer') ? ['tests that are added and reviewed'] : []),
    ...(has('human') ? ['your verdict'] : ['your approval']),
    ...(has('reviewer') && acceptReview === true ? ["a reviewer's pass (accepted in advance)"] : []),
    ...(has('reviewer') && acceptReview === 'no-check-could-flip'
      ? ["a reviewer's pass where no check could turn green"]
      : []),
  ];
  const isSure = has('machine') || has('human') || acceptReview !== false;
  return { mark: isSure ? 'ok' : 'warning', about: 'proof', text: orList(ways) };
}

function orList(ways: readonly string[]): string {
  const last = ways.at(-1) ?? '';
  return ways.length < 2 ? last : `${ways.slice(0, -1).join(', ')}, or ${last}`;
}

export function budgetItem({ budget, policy }: RunConfig): PreflightItem {
  return { mark: 'ok', about: 'budget', text: `at most ${ceiling(budget, policy)}` };
}

/** What weakens the proof, and notes from reading the settings. */
export function noteItems(
  config: RunConfig,
  tasks: readonly Task[],
  notes: readonly string[],
): PreflightItem[] {
  return [...weaknessNotes(config, tasks), ...notes].flatMap((note): PreflightItem[] => {
    const plan = /^The plan is (.+)\.$/.exec(note)?.[1];
    if (plan !== undefined) return [{ mark: 'ok', about: 'plan', text: plan }];
    const none = noVerifier(note);
    if (none === null) return [{ mark: 'warning', about: 'note', text: note }];
    const { wish, why, hint } = none;
    // The item about reviewers says it.
    if (wish !== undefined && config.policy.planning !== undefined) return [];
    // A deliberate choice needs no warning.
    const mark = wish === undefined ? 'warning' : 'ok';
    const text = `none (${wish ?? why ?? ''})`;
    return [{ mark, about: 'verifier', text, ...(hint === '' ? {} : { hint }) }];
  });
}

/** Permissions given in advance that make the proof of a run weaker than it looks. */
function weaknessNotes(
  { mayChange, knownRed }: Pick<RunConfig, 'mayChange' | 'knownRed'>,
  tasks: readonly Pick<Task, 'mayChange'>[],
): string[] {
  const wide = [...mayChange, ...tasks.flatMap((task) => task.mayChange)].find(isEverything);
  return [
    ...(wide === undefined
      ? []
      : [
          `WEAK PROOF: "${wide}" may change, so agents may rewrite the tests that judge them. Name only the files that the work needs`,
        ]),
    ...(knownRed.length === 0
      ? []
      : [
          `WEAK PROOF: ${knownRed === 'all' ? 'whatever check is' : `${knownRed.join(', ')}, if`} red before the work need not pass after it (known red)`,
        ]),
  ];
}

/** A glob that leaves nothing in the repository pinned. */
function isEverything(glob: string): boolean {
  return /^(\.?\/)?(\*\*?\/)*(\*+|\*+\.\*|\{\*\*?\})$/.test(glob.trim());
}
