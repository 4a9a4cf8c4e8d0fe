// `campaign.*` and `routing.*`: how a run plans, and which agents build what.
import { isMachineCheck } from '#kernel/model/check.ts';
import type { PlanningSettings, Routing } from '#kernel/model/config.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { AgentChoice } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import { OperatorError } from '#base/operator-error.ts';
import { type Layer, namesBelow, setting } from '#config/layers.ts';
import type { Chosen } from './resolve-run.ts';

/** Undefined for a preset that does not plan. `whole` is the task that its function makes of the goal. */
export function planningFrom(
  { settings, preset, timeoutMs }: Pick<Chosen, 'settings' | 'preset' | 'timeoutMs'>,
  whole: Task | undefined,
): PlanningSettings | undefined {
  const { planning } = preset;
  if (planning === undefined) return undefined;
  const criteria = whole?.criteria ?? [];
  refuseHuman(criteria);
  const ours = criteria.filter(({ check }) => isMachineCheck(check));
  return {
    approval: approvalOf(settings) ?? planning.approval,
    replansMax: setting(settings, 'campaign.replans') ?? planning.replansMax,
    refusalsMax: (setting(settings, 'campaign.planTries') ?? planning.refusalsMax + 1) - 1,
    milestones: [...(setting(settings, 'campaign.milestones') ?? planning.milestones)].sort((a, b) => a - b),
    mapTokens: setting(settings, 'campaign.mapTokens') ?? planning.mapTokens,
    architectSees: setting(settings, 'campaign.architectSees') ?? planning.architectSees,
    deadEnd: setting(settings, 'campaign.onStuck') ?? planning.deadEnd,
    constraints: setting(settings, 'campaign.constraints') ?? '',
    checkTimeoutMs: timeoutMs,
    criteria: ours,
    everyTask: criteria.flatMap(asGuard),
  };
}

/** Runs store `none` as `nobody`. */
function approvalOf(settings: Layer): PlanningSettings['approval'] | undefined {
  const configured = setting(settings, 'campaign.approval');
  return configured === 'none' ? 'nobody' : configured;
}

/** A check of the whole must stay green; reviewers judge every task; held-out checks wait for the end. */
function asGuard(criterion: Criterion): Criterion[] {
  const { check, when } = criterion;
  if (!isMachineCheck(check)) return [criterion];
  return when === 'attempt' && check.kind !== 'held-out' ? [{ ...criterion, guard: true }] : [];
}

/** No person is there at night, and a plan's own tasks ask a person where they must. */
function refuseHuman(criteria: readonly Criterion[]): void {
  const asked = criteria.find(({ check }) => check.kind === 'human');
  if (asked === undefined) return;
  throw new OperatorError(
    'needs-check',
    `"${asked.text}" can only be decided by a person, which a campaign cannot ask at its end.`,
    'Give it a check, or put it into a task of the plan as a criterion for a person.',
  );
}

/** Names as written in the configuration, to be resolved with the others. */
export function routedAgents(settings: Layer): string[] {
  return [...new Set([...Object.values(domainNames(settings)).flat(), ...fallbackNames(settings)])];
}

export function routingFrom(
  settings: Layer,
  found: ReadonlyMap<string, AgentChoice>,
): { readonly routing?: Routing } {
  const choices = (names: readonly string[]): AgentChoice[] => names.flatMap((name) => found.get(name) ?? []);
  const domains = Object.entries(domainNames(settings)).map(([name, list]) => [name, choices(list)] as const);
  const fallbacks = choices(fallbackNames(settings));
  if (domains.length === 0 && fallbacks.length === 0) return {};
  const onUsageLimit = setting(settings, 'routing.onUsageLimit');
  return { routing: { domains: Object.fromEntries(domains), fallbacks, onUsageLimit } };
}

function domainNames(settings: Layer): { [domain: string]: readonly string[] } {
  return Object.fromEntries(
    namesBelow(settings, 'routing.domains').map((name) => {
      const value = settings.get(`routing.domains.${name}`)?.value;
      return [name, typeof value === 'string' ? [value] : ((value ?? []) as string[])];
    }),
  );
}

function fallbackNames(settings: Layer): readonly string[] {
  return setting(settings, 'routing.fallbacks') ?? [];
}
