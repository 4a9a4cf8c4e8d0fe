// The configuration of a run. Frozen in `run-created`: a later version of a file does not change it.
import type { BudgetLimits, SessionLimits } from './budget.ts';
import type { Criterion } from './criterion.ts';
import type { FlakyPolicy } from './flaky.ts';
import type { SuspensionSettings } from '#kernel/waiting/suspension-settings.ts';
import type { AgentChoice } from './step.ts';
import type { SignalWords } from './signal.ts';
import type { ActionSettings } from '#kernel/actions/action.ts';

export interface RunConfig {
  readonly preset: string;
  readonly goal: string;
  /** Same key = same run: a hash of preset and goal or task id. */
  readonly key: string;
  /** A hash of all other inputs, to notice that they changed. */
  readonly inputs: string;
  readonly repo: RepoConfig;
  readonly agents: { readonly [name: string]: AgentConfig };
  readonly knowledge: AgentKnowledge;
  readonly roles: { readonly [role: string]: RoleConfig };
  readonly policy: PolicyConfig;
  readonly budget: BudgetLimits;
  readonly setup: SetupConfig;
  /** Criteria that may stay as red as they were on the base. */
  readonly knownRed: 'all' | readonly string[];
  readonly mayChange: readonly string[];
  /** How to treat checks that both fail and pass on one tree; absent: they never pass. */
  readonly flaky?: FlakyPolicy;
  /** Whether checks are tested at the acceptance; absent in older runs. */
  readonly calibration?: 'auto' | 'off';
  /**
   * Whether a reviewer's pass alone completes the run; `no-check-could-flip`: only for tasks without a
   * required check that was red on their base. Absent in older runs, where it always did.
   */
  readonly acceptReview?: boolean | 'no-check-could-flip';
  /** Who may accept a change to a pinned file; absent: only a person. */
  readonly tamper?: { readonly acceptedBy: 'person' | 'reviewer' };
  /** The attached session that this run was started from and for; its own client holds it. */
  readonly foreign?: { readonly client: string; readonly sessionId: string };
  /** How the run's commits are named; absent if the user set nothing. */
  readonly commit?: { readonly message: string };
  /** Sandbox for agents and checks; absent in runs from before it existed. */
  readonly sandbox?: SandboxConfig;
  /** Whether the run continues by itself; absent means that it does. */
  readonly durable?: DurableSettings;
  /** Absent if the user set nothing: `defaultSuspension` applies. */
  readonly suspension?: SuspensionSettings;
  /** Only shows how a run would begin: it never starts a session. */
  readonly dryRun?: true;
  /** Variables that checks get beyond the base environment: names, or names with values. */
  readonly checkEnv: readonly string[] | { readonly [name: string]: string };
}

export interface SandboxConfig {
  /** `auto` until the run is created; then the kind that its machine has. */
  readonly kind: 'auto' | 'bubblewrap' | 'srt' | 'none';
  /** If true and no sandbox is available, the run does not start. */
  readonly isRequired: boolean;
  /** Why there is no sandbox; '' if there is one. */
  readonly why: string;
  /** Paths, `~` for the home folder. */
  readonly allowRead: readonly string[];
  readonly denyRead: readonly string[];
  readonly allowWrite: readonly string[];
  /** `host`, `host:port`, `*.domain`. */
  readonly allowHosts: readonly string[];
  /** Agents that run with the user's rights all the same; only in older runs. */
  readonly outside?: readonly string[];
  /** Agents inside the sandbox whose needs are unknown: they may fail because something is missing. */
  readonly undescribed?: readonly string[];
}

/** Facts that clients do not report: dated in their source, extended by the user, frozen with the run. */
export interface AgentKnowledge {
  /** By model name; a trailing `*` matches every name with that prefix, and the longest match wins. */
  readonly prices: { readonly [model: string]: ModelPrice };
  /** Regular expressions, case ignored, for a provider's message that a usage limit is reached. */
  readonly usageLimitWordings: readonly string[];
}

/** USD per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface AgentConfig {
  readonly driver: string;
  /** Variables of our environment that the agent gets beyond the base: `NAME`, or `NAME=value`. */
  readonly env: readonly string[];
  /** Read and checked by the adapter only. */
  readonly options: { readonly [key: string]: unknown };
  /** Found at the start; `env` was chosen with it. Absent in runs from before it was recorded. */
  readonly payer?: Payer;
}

/** Who pays for an agent. `name` is the subscription, the variable that holds the key, or the reason. */
export interface Payer {
  readonly kind: 'nobody' | 'subscription' | 'key' | 'account' | 'unknown';
  readonly name: string;
}

export interface RepoConfig {
  readonly repoId: string;
  readonly baseCommit: string;
  readonly branch: string;
  /** Work in the user's own checkout instead of a worktree. The run has its own branch in any case. */
  readonly inPlace: boolean;
  /** Globs of branches that no run may ever move. */
  readonly protectedBranches: readonly string[];
  /** The folder of the repository in which the run was started; '' is its root. */
  readonly prefix: string;
}

export interface RoleConfig {
  readonly agent: AgentChoice;
  /** Template with `{{placeholders}}`. */
  readonly prompt: string;
  readonly words: SignalWords;
  readonly readOnly: boolean;
  readonly limits: SessionLimits;
}

/** Data for pure policies. */
export interface PolicyConfig {
  readonly cooldownMs: number;
  /** Errors of a reviewer in a row (crashed, empty, changed files) before the task fails. */
  readonly reviewerErrorsMax: number;
  /** Sessions in a row that may end in a transient error (overloaded, network) before the task fails. */
  readonly setbacksMax: number;
  /** The longest wait for a usage limit; a later reset parks the run. */
  readonly limitWaitMsMax: number;
  /** Tasks worked on at once; each needs its own workspace. */
  readonly parallel: number;
  /** True only if the work is meant to leave no trace in the repository. */
  readonly mayLeaveTreeUnchanged: boolean;
  /** For a loop over criteria; absent if there is none. */
  readonly loops?: LoopSettings;
  /** For the action loop; absent if there is none. */
  readonly actions?: ActionSettings;
  /** For a queue of tasks; absent if there is none. */
  readonly queue?: QueueSettings;
  /** For a run that plans; absent if the tasks are given. */
  readonly planning?: PlanningSettings;
  /** The fallbacks after a failed attempt, and the builders of each domain. */
  readonly routing?: Routing;
  /** Similar failed attempts in a row before a task counts as stuck; 0 or absent: never. */
  readonly stuckMax?: number;
  /** Proposals of agents that need no person: `additions` means new criteria. Absent: none. */
  readonly proposals?: 'person' | 'additions';
}

export interface QueueSettings {
  /** Whether tasks that do not depend on a failed task continue. */
  readonly onFailure: 'continue' | 'stop';
  /** Sessions in a row that are repeated because they gave no result, before the task fails. */
  readonly crashRetries: number;
}

export interface PlanningSettings {
  readonly approval: 'person' | 'nobody';
  /** New plans after the first one. */
  readonly replansMax: number;
  /** Unusable answers of the architect in a row. */
  readonly refusalsMax: number;
  /** Percent of the tasks that have landed. The reflector is asked each time one is crossed. */
  readonly milestones: readonly number[];
  readonly mapTokens: number;
  /** Whether the architect can read the files, or only gets its prompt. */
  readonly architectSees: 'map' | 'files';
  /** When no task can continue: wait for a person, or end the run. */
  readonly deadEnd: 'ask' | 'end';
  /** Criteria of the whole result, whatever the plan says. */
  readonly criteria: readonly Criterion[];
  /** Criteria of every task, besides its own. */
  readonly everyTask: readonly Criterion[];
  /** Constraints for a plan, in a person's words; '' for none. */
  readonly constraints: string;
  /** Timeout of a plan's check that sets none itself. Absent in older runs. */
  readonly checkTimeoutMs?: number;
}

export interface Routing {
  /** Builders for tasks of a domain, in order of preference. */
  readonly domains: { readonly [domain: string]: readonly AgentChoice[] };
  /** Builders that follow the one that the run was started with, in order. */
  readonly fallbacks: readonly AgentChoice[];
  /** Whether the next builder works while one waits for a usage limit. Absent in older runs: it does. */
  readonly onUsageLimit?: 'fallback' | 'wait';
}

export interface SetupConfig {
  /** Command that installs dependencies in a checkout; null if there is nothing to install. */
  readonly command: string | null;
  /** Whether to find the command from the committed lock file or manifest. */
  readonly isDetected: boolean;
  /** Untracked files of the user's checkout that checks need, by glob. */
  readonly copy: readonly string[];
}

/** The settings of a loop over criteria, under the names that a person writes. */
export interface LoopSettings {
  readonly enabled: boolean;
  readonly enforced: boolean;
  readonly blockExitUntilComplete: boolean;
  readonly requireVerification: boolean;
  readonly blockOnSkip: boolean;
  /** Failures of one criterion before the loop stops trying it. */
  readonly maxRetries: number;
  /** Passes over all criteria. */
  readonly maxIterations: number;
  readonly commitEvery: number;
  readonly pauseBetweenScenarios: boolean;
  readonly autoInferVerification: boolean;
  readonly fallbackToManual: boolean;
  readonly suggestBrowserTests: boolean;
}

/** Whether an unfinished run continues without a request from a person. */
export interface DurableSettings {
  /** False: only `untildone resume` and `--resume` continue the run. */
  readonly enabled: boolean;
  /** False: the same command asks before it continues the run. */
  readonly autoResume: boolean;
}

/** Whether a start, a timer or a met condition may continue the run; a person always may. */
export function isResumedByItself({ durable }: Pick<RunConfig, 'durable'>): boolean {
  return durable === undefined || (durable.enabled && durable.autoResume);
}
