// Settings by dotted path, each with where it came from. Flags over environment over project file over user file over defaults.
import type { SandboxConfig } from '#kernel/config.ts';
import type { EnvironmentSpec } from './agent-env.ts';
import type { CheckTable } from './check-table.ts';
import type { NotifyEntry } from './notify.ts';
import type { CriterionTable } from './written-criteria.ts';

/** `answer`: given once at a terminal. */
export type OriginKind = 'flag' | 'environment' | 'project' | 'user' | 'answer' | 'preset' | 'default';

export interface Origin {
  readonly kind: OriginKind;
  /** The flag, the variable, or `file:line:col`; '' for a default. */
  readonly where: string;
}

export interface Sourced {
  readonly value: unknown;
  readonly origin: Origin;
}

export type Layer = Map<string, Sourced>;

export type CheckEntry = string | CheckTable;

export type HeldOutEntry =
  | CheckEntry
  | { readonly check: CheckEntry; readonly files?: { readonly [path: string]: string } | undefined };

export interface AgentEntry {
  readonly driver: string;
  readonly env?: EnvironmentSpec | undefined;
  /** Of a plain command: it prints verdicts, and so may review without being named for that. */
  readonly verdicts?: true | undefined;
  readonly [option: string]: unknown;
}

export interface PriceEntry {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

/** What stands under each path once a value was accepted by the schema or by a flag's own parser. */
export interface SettingTypes {
  readonly preset: string;
  readonly 'agent.env': EnvironmentSpec;
  readonly 'check.env': EnvironmentSpec;
  readonly 'check.timeout': string | number;
  readonly 'check.flaky.retries': number;
  readonly 'check.flaky.passes': number;
  readonly 'check.flaky.looks': number;
  readonly 'check.flaky.within': string | number;
  readonly checks: readonly CheckEntry[];
  readonly reviewers: readonly ReviewerEntry[];
  readonly verifier: boolean;
  readonly criteria: readonly (string | CriterionTable)[];
  readonly 'actions.mode': 'auto' | 'interactive';
  readonly 'actions.maxIterations': number;
  readonly 'actions.turnTimeout': string | number;
  readonly 'queue.onFailure': 'continue' | 'stop';
  readonly 'queue.crashRetries': number;
  readonly proposals: 'person' | 'additions';
  readonly taskFile: string;
  readonly 'budget.sessions': number;
  readonly 'budget.attempts': number;
  readonly 'budget.hours': number;
  readonly 'budget.usd': number;
  readonly 'budget.tokens': number;
  readonly 'budget.sessionUsd': number;
  readonly 'budget.sessionTokens': number;
  readonly 'budget.warnPercent': number;
  readonly notify: readonly NotifyEntry[];
  readonly 'session.wall': string | number;
  readonly 'session.idle': string | number;
  readonly 'session.grace': string | number;
  readonly pay: 'login' | 'key';
  readonly maxLoops: number;
  readonly cooldown: string | number;
  readonly knownRed: 'all' | readonly string[];
  readonly preCommitHook: boolean;
  readonly 'commit.message': string;
  readonly heldOut: readonly HeldOutEntry[];
  readonly mayChange: readonly string[];
  readonly acceptReview: boolean;
  readonly 'tamper.acceptedBy': 'person' | 'reviewer';
  readonly 'acceptance.calibration': 'auto' | 'off';
  readonly 'campaign.approval': 'person' | 'nobody';
  readonly 'campaign.replans': number;
  readonly 'campaign.planTries': number;
  readonly 'campaign.milestones': readonly number[];
  readonly 'campaign.mapTokens': number;
  readonly 'campaign.architectSees': 'map' | 'files';
  readonly 'campaign.deadEnd': 'ask' | 'end';
  readonly 'campaign.constraints': string;
  readonly 'routing.fallbacks': readonly string[];
  readonly 'stuck.max': number;
  readonly allowRoot: boolean;
  readonly 'sandbox.use': SandboxConfig['kind'];
  readonly 'sandbox.required': boolean;
  readonly 'sandbox.allowRead': readonly string[];
  readonly 'sandbox.denyRead': readonly string[];
  readonly 'sandbox.allowWrite': readonly string[];
  readonly 'sandbox.allowHosts': readonly string[];
  readonly setup: string | false;
  readonly copy: readonly string[];
  readonly protectedBranches: readonly string[];
  readonly inPlace: boolean;
  readonly prices: { readonly [model: string]: PriceEntry };
  readonly usageLimits: readonly string[];
  readonly harnessDir: string;
  readonly planDir: string;
  readonly logDir: string;
}

export interface ReviewerEntry {
  /** Also its role, its criterion and the beginning of its logs. */
  readonly name: string;
  readonly agent?: string;
  readonly model?: string;
  readonly prompt?: string;
}

/** More checks prove more, and no file silences another's notifications: these lists add up. Everything else is replaced by the stronger layer. */
const additive = new Set(['checks', 'criteria', 'mayChange', 'copy', 'usageLimits', 'notify']);

/** Strongest layer first. */
export function mergeLayers(layers: readonly Layer[]): Layer {
  const merged: Layer = new Map();
  for (const layer of layers) {
    for (const [path, given] of layer) {
      const known = merged.get(path);
      if (known === undefined) merged.set(path, given);
      else if (additive.has(path) && given.origin.kind !== 'default') merged.set(path, joined(known, given));
    }
  }
  return merged;
}

export function setting<K extends keyof SettingTypes>(layer: Layer, path: K): SettingTypes[K] | undefined {
  return layer.get(path)?.value as SettingTypes[K] | undefined;
}

/** The names directly below a path such as `agents`. */
export function namesBelow(layer: Layer, path: string): string[] {
  const found = new Set<string>();
  for (const key of layer.keys()) {
    if (key.startsWith(`${path}.`)) found.add(key.slice(path.length + 1).split('.')[0] ?? '');
  }
  return [...found];
}

function joined(strong: Sourced, weak: Sourced): Sourced {
  const values = [...(strong.value as unknown[]), ...(weak.value as unknown[])];
  const where = [strong.origin.where, weak.origin.where].filter((place) => place !== '').join(' + ');
  return { value: values, origin: { kind: strong.origin.kind, where } };
}
