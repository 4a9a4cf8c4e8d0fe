// What a run was told at its start. Frozen in `run-created`: a later version of a file changes nothing of it.
import type { BudgetLimits, SessionLimits } from './budget.ts';
import type { Criterion } from './criterion.ts';
import type { FlakyPolicy } from './flaky.ts';
import type { DurableSettings } from './durable-settings.ts';
import type { SuspensionSettings } from '#kernel/waiting/suspension-settings.ts';
import type { AgentChoice } from './step.ts';
import type { SignalWords } from './signal.ts';
import type { ActionSettings } from '#kernel/actions/action.ts';

export interface RunConfig {
  readonly preset: string;
  readonly goal: string;
  /** Same key = same run: a hash of preset and goal or task id. */
  readonly key: string;
  /** A hash of everything else that was given, to notice changed inputs. */
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
  /** What is done about checks that fail and pass on one tree; absent: they never pass. */
  readonly flaky?: FlakyPolicy;
  /** Whether checks are tested at the acceptance; absent in runs that were made before that was done. */
  readonly calibration?: 'auto' | 'off';
  /**
   * Whether a reviewer's pass alone completes the run; `no-check-could-flip`: only for tasks without a required check
   * that was red on their base. Absent in runs that were made when it always did.
   */
  readonly acceptReview?: boolean | 'no-check-could-flip';
  /** Who may accept a change to a pinned file; a person where nothing is said. */
  readonly tamper?: { readonly acceptedBy: 'person' | 'reviewer' };
  /** The interactive session that this run was started from and for; it is held by its own client. */
  readonly foreign?: { readonly client: string; readonly sessionId: string };
  /** How the run's commits are named; absent where the user said nothing. */
  readonly commit?: { readonly message: string };
  /** Sandbox for agents and checks; absent in runs that were made before there was one. */
  readonly sandbox?: SandboxConfig;
  /** Whether the run continues by itself; absent where it does. */
  readonly durable?: DurableSettings;
  /** Absent where the user set nothing: `defaultSuspension` applies. */
  readonly suspension?: SuspensionSettings;
  /** Only looks how a run would begin: no session ever starts in it. */
  readonly dryRun?: true;
  /** What checks see of the environment beyond the base: names, or names with values. */
  readonly checkEnv: readonly string[] | { readonly [name: string]: string };
}

export interface SandboxConfig {
  /** `auto` until the run is made; from then on what its machine had. */
  readonly kind: 'auto' | 'bubblewrap' | 'srt' | 'none';
  /** Without one, the run does not start. */
  readonly isRequired: boolean;
  /** Why there is none; '' where there is one. */
  readonly why: string;
  /** Paths, `~` for the home folder. */
  readonly allowRead: readonly string[];
  readonly denyRead: readonly string[];
  readonly allowWrite: readonly string[];
  /** `host`, `host:port`, `*.domain`. */
  readonly allowHosts: readonly string[];
  /** Agents that run with the rights of the user all the same: in runs that were made when that was done. */
  readonly outside?: readonly string[];
  /** Agents inside of whom nobody said what they need: they may fail for want of it. */
  readonly undescribed?: readonly string[];
}

/** What clients do not tell: dated in its source, extended by the user, frozen with the run. */
export interface AgentKnowledge {
  /** By model name; a trailing `*` matches every name that begins so, the longest match wins. */
  readonly prices: { readonly [model: string]: ModelPrice };
  /** Regular expressions, case ignored, in which a provider says that a usage limit is reached. */
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
  /** What it may see of our environment beyond the base: `NAME`, or `NAME=value`. */
  readonly env: readonly string[];
  /** The driver's own business. */
  readonly options: { readonly [key: string]: unknown };
  /** As seen at the start; what `env` names was chosen with it. Absent in runs that were made before it was asked. */
  readonly payer?: Payer;
}

/** Who pays for what an agent does. `name` is the subscription, the variable that holds the key, or the reason. */
export interface Payer {
  readonly kind: 'nobody' | 'subscription' | 'key' | 'account' | 'unknown';
  readonly name: string;
}

export interface RepoConfig {
  readonly repoId: string;
  readonly baseCommit: string;
  readonly branch: string;
  /** Work in the user's own checkout instead of a worktree; the branch is the run's own in any case. */
  readonly inPlace: boolean;
  /** Globs of branches that no run may ever move. */
  readonly protectedBranches: readonly string[];
  /** Where in the repository the run was started; '' is its root. */
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

/** Data that pure policies read; each names what it needs. */
export interface PolicyConfig {
  readonly cooldownMs: number;
  /** Errors of a reviewer in a row (crashed, empty, wrote something) before the task is given up. */
  readonly reviewerErrorsMax: number;
  /** Sessions in a row that may end in passing trouble (overloaded, network) before the task is given up. */
  readonly setbacksMax: number;
  /** The longest that a usage limit is waited for; a later reset parks the run. */
  readonly limitWaitMsMax: number;
  /** Tasks worked on at once; each needs a workspace of its own. */
  readonly parallel: number;
  /** True only where the work is meant to leave no trace in the repository. */
  readonly mayLeaveTreeUnchanged: boolean;
  /** Of a loop over criteria; absent where there is none. */
  readonly loops?: LoopSettings;
  /** Of the action loop; absent where there is none. */
  readonly actions?: ActionSettings;
  /** Of a queue of tasks; absent where there is none. */
  readonly queue?: QueueSettings;
  /** Of a run that plans; absent where the tasks are given. */
  readonly planning?: PlanningSettings;
  /** Who takes over when an attempt failed, and whose domain is whose. */
  readonly routing?: Routing;
  /** Failed attempts in a row that are alike before a task counts as stuck; 0 or absent: never. */
  readonly stuckMax?: number;
  /** Which proposals of agents need no person: none where nothing is said, or new criteria. */
  readonly proposals?: 'person' | 'additions';
}

export interface QueueSettings {
  /** What a task that is given up means for those that do not depend on it. */
  readonly onFailure: 'continue' | 'stop';
  /** Sessions without a result that are begun again, in a row, before the task is given up. */
  readonly crashRetries: number;
}

export interface PlanningSettings {
  /** Who approves a plan. */
  readonly approval: 'person' | 'nobody';
  /** New plans after the first one. */
  readonly replansMax: number;
  /** Unusable answers of the architect in a row. */
  readonly refusalsMax: number;
  /** Percent of the tasks that have landed; the reflector is asked when one is crossed. */
  readonly milestones: readonly number[];
  readonly mapTokens: number;
  /** Whether the architect gets the files to read, or nothing but what it is told. */
  readonly architectSees: 'map' | 'files';
  /** What happens when no task can go on: wait for a person, or end. */
  readonly deadEnd: 'ask' | 'end';
  /** What must hold of the whole in the end, whatever the plan says. */
  readonly criteria: readonly Criterion[];
  /** What every task gets besides its own criteria. */
  readonly everyTask: readonly Criterion[];
  /** What a plan must keep to, in a person's words; '' for nothing. */
  readonly constraints: string;
  /** What a check of a plan may take that says nothing of it. Absent in runs that were made before it was kept. */
  readonly checkTimeoutMs?: number;
}

export interface Routing {
  /** Builders for tasks of a domain, the first one first. */
  readonly domains: { readonly [domain: string]: readonly AgentChoice[] };
  /** Who comes after the builder that the run was started with. */
  readonly fallbacks: readonly AgentChoice[];
  /** Whether the next builder of the list works while one waits for a usage limit. Absent in older runs: it does. */
  readonly onUsageLimit?: 'fallback' | 'wait';
}

export interface SetupConfig {
  /** Command that installs dependencies in a checkout; null when there is nothing to install. */
  readonly command: string | null;
  /** Whether to find the command from the committed lock file or manifest. */
  readonly isDetected: boolean;
  /** Untracked files of the user's checkout that checks need, by glob. */
  readonly copy: readonly string[];
}

/** The settings of such a loop, by the names that a person writes. */
export interface LoopSettings {
  readonly enabled: boolean;
  readonly enforced: boolean;
  readonly blockExitUntilComplete: boolean;
  readonly requireVerification: boolean;
  readonly blockOnSkip: boolean;
  /** Failures of one criterion before it is given up. */
  readonly maxRetries: number;
  /** Passes over all criteria. */
  readonly maxIterations: number;
  readonly commitEvery: number;
  readonly pauseBetweenScenarios: boolean;
  readonly autoInferVerification: boolean;
  readonly fallbackToManual: boolean;
  readonly suggestBrowserTests: boolean;
}
