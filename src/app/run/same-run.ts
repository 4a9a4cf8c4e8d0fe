// Decides whether a start continues a known run or makes a new one. Same preset and goal: the same run.
import { isResumedByItself, type RunConfig } from '#kernel/model/config.ts';
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { holderName, type KnownRun } from './known-runs.ts';

export type Start =
  | { readonly kind: 'new' }
  | { readonly kind: 'resume'; readonly known: KnownRun }
  /** The inputs differ from the frozen ones: a person decides. */
  | { readonly kind: 'changed'; readonly known: KnownRun }
  /** `durableSteps` does not let it continue by itself: a person decides, by a flag where `isRefused`. */
  | { readonly kind: 'not-resumed'; readonly known: KnownRun; readonly isRefused: boolean };

export interface StartWish {
  readonly isNew: boolean;
  readonly isResume: boolean;
}

export function judgeStart(runs: readonly KnownRun[], config: RunConfig, wish: StartWish): Start {
  const known = runs.findLast(({ run }) => run.outcome === null && run.config.key === config.key);
  if (wish.isNew) return { kind: 'new' };
  if (known === undefined) {
    if (!wish.isResume) return { kind: 'new' };
    throw new OperatorError(
      'no-run',
      'There is no unfinished run with this goal to resume.',
      'Leave out --resume to start one; `untildone list` shows the runs.',
    );
  }
  if (known.holder !== null) throw liveRun(known);
  if (wish.isResume) return { kind: 'resume', known };
  // Both the settings at its start and the present ones can switch it off.
  const both = [known.run.config, config];
  const isRefused = both.some(({ durable }) => durable?.enabled === false);
  if (!isRefused && known.run.config.inputs !== config.inputs) return { kind: 'changed', known };
  return both.every(isResumedByItself)
    ? { kind: 'resume', known }
    : { kind: 'not-resumed', known, isRefused };
}

export function notResumed({ run }: KnownRun): OperatorError {
  return new OperatorError(
    'not-resumed',
    `The run ${run.id} with this goal is unfinished, and durableSteps prevents an automatic resume.`,
    `To continue it: --resume, or untildone resume ${run.id}. To start another run: --new`,
  );
}

export function liveRun({ run, holder }: KnownRun): OperatorError {
  return new OperatorError(
    'run-is-live',
    `Run ${run.id} already works on this goal (${holderName(holder) ?? ''}).`,
    `Follow it: \`untildone logs -f ${run.id}\`. Stop it: \`untildone stop ${run.id}\`. Start another beside it: --new.`,
  );
}

export function changedInputs({ run }: KnownRun, config: RunConfig): OperatorError {
  return new OperatorError(
    'changed-inputs',
    `The unfinished run ${run.id} has the same goal but was started with other inputs (${differences(run.config, config).join(', ')}).`,
    `Use --resume to continue with its original inputs, or --new to start another run.${changedSetup(run, config)}`,
  );
}

/** The one input that a person may change in a parked run. */
function changedSetup({ id, config: { setup: was } }: Run, { setup: is }: RunConfig): string {
  if (was.command === is.command && was.isDetected === is.isDetected) return '';
  if (is.command === null && is.isDetected) return '';
  const flag = is.command === null ? '--no-setup' : '--setup "…"';
  return ` To use the other setup: untildone resume ${id} ${flag}`;
}

export function differences(was: RunConfig, is: RunConfig): string[] {
  const names = Object.keys(inWords) as (keyof typeof inWords)[];
  const differing: string[] = names
    .filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]))
    .map((name) => inWords[name]);
  if (isOtherSandbox(was.sandbox, is.sandbox)) differing.push('the sandbox');
  return differing.length > 0 ? differing : ['the tasks, their checks or agents, or the folder'];
}

/** The sandbox of a run is resolved: `auto` has become what the machine had. */
function isOtherSandbox(was: RunConfig['sandbox'], is: RunConfig['sandbox']): boolean {
  if (was === undefined || is === undefined) return was !== is;
  const rules = ({ allowRead, denyRead, allowWrite, allowHosts }: typeof was): string =>
    JSON.stringify([allowRead, denyRead, allowWrite, allowHosts]);
  const isOtherKind = is.kind === 'auto' ? was.kind === 'none' && was.isRequired : is.kind !== was.kind;
  return isOtherKind || rules(was) !== rules(is);
}

const inWords = {
  agents: 'agents',
  roles: 'roles, models or prompts',
  policy: 'limits and waits',
  setup: 'setup',
  knownRed: '--known-red',
  mayChange: '--may-change',
  acceptReview: '--accept-review',
  checkEnv: 'the environment of checks',
  commit: 'commit messages',
  suspension: 'suspension settings',
} as const satisfies { readonly [part in keyof RunConfig]?: string };
