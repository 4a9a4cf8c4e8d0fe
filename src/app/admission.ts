// Usage limits of the run's providers, shared by all runs of this machine.
import { join } from 'node:path';
import { createAdmittedSessions } from '#adapters/waiting/admitted-sessions.ts';
import { createProviderLimits } from '#adapters/waiting/provider-limits.ts';
import * as clients from '#agents/clients.ts';
import { allowedEnvironment } from '#config/agents/agent-env.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import { awaitedTransientErrors } from '#kernel/waiting/usage-limit.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { AgentChoice } from '#kernel/model/step.ts';
import type { Admission } from '#ports/admission.ts';
import type { Sessions } from '#ports/sessions.ts';
import type { Site } from './site.ts';

type AdmittedRun = Pick<Run, 'id' | 'config'>;

export function admitSessions(site: Site, run: AdmittedRun, own: Sessions): Sessions {
  const { config } = run;
  return createAdmittedSessions({
    own,
    admission: openAdmission(site, run),
    runId: run.id,
    driverOf: (name) => config.agents[name]?.driver ?? name,
    agents: Object.values(config.roles).map(({ agent }) => agent),
    now: Date.now,
  });
}

/** For a person who resumes a run that waits for its provider: the next session asks the provider itself. */
export function forgetAwaitedLimits(site: Site, run: Run): void {
  if (awaitedTransientErrors(run).length > 0) openAdmission(site, run).forget(agentsOf(run.config, run));
}

function openAdmission(site: Site, { id, config }: AdmittedRun): Admission {
  return createProviderLimits({
    folder: join(site.stateHome, 'untildone', 'limits'),
    runId: id,
    agents: config.agents,
    envFor: (name) => allowedEnvironment(site.env, config.agents[name]?.env),
    waitMsMax: config.policy.limitWaitMsMax,
    accountVariables: Object.values(clients).flatMap((client) => client.accountVariables),
    now: Date.now,
  });
}

/** Every agent the run may use, with the models that roles, tasks and routing name. */
function agentsOf({ roles, policy }: RunConfig, { tasks }: Run): AgentChoice[] {
  const { domains = {}, fallbacks = [] } = policy.routing ?? {};
  return [
    ...Object.values(roles).map(({ agent }) => agent),
    ...Object.values(domains).flat(),
    ...fallbacks,
    ...[...tasks.values()].flatMap(({ spec }) => Object.values(spec.agents ?? {})),
  ];
}
