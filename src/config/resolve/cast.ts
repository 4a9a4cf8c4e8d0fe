// Assigns agents and payers to the roles and tasks of a run.
import { readFile } from 'node:fs/promises';
import { type Cast, type CastInput, castRoles, modelsOf } from '#config/agents/agents.ts';
import { settlePayers } from '#config/agents/payer.ts';
import { reviewerRoles, withoutRemoved } from '#config/agents/verifier.ts';
import { type Layer, setting } from '#config/layers.ts';
import type { PlannedTasks } from './plan-tasks.ts';
import { routedAgents } from './planning.ts';
import type { Chosen, RunRequest, StartPlace } from './resolve-run.ts';

export function castOf(
  place: StartPlace,
  { flags, planned, sanityCheck }: RunRequest,
  { settings, preset, removed }: Chosen,
  plan: PlannedTasks,
): Promise<Cast> {
  return castAndPay(place, settings, {
    flags: flags.agent ?? [],
    roles: Object.keys(preset.roles),
    tasks: preset.planning === undefined ? plan.tasks.map((task) => task.id) : [],
    ...planned,
    ofTasks: withoutRemoved(planned?.ofTasks ?? plan.agents, removed),
    others: routedAgents(settings),
    // A sanity check itself shows whether an agent can be a verifier.
    reviewers: sanityCheck ? [] : reviewerRoles(preset),
  });
}

async function castAndPay(
  { cwd, env, ownEnv }: StartPlace,
  settings: Layer,
  who: Pick<CastInput, 'flags' | 'roles' | 'tasks' | 'ofTasks' | 'others' | 'reviewers'>,
): Promise<Cast> {
  const cast = await castRoles({ settings, cwd, env, ...who });
  const agents = await settlePayers({
    agents: cast.agents,
    env,
    ownEnv,
    wish: setting(settings, 'pay') ?? null,
    models: modelsOf(cast),
    read: (path) => readFile(path, 'utf8').catch(() => null),
  });
  return { ...cast, agents };
}
