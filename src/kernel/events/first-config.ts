// Adds settings that the first runs did not have, with the value that lets a run do the least by itself.
import { isRecord } from '#base/record.ts';

/** Contract: never throws; adds missing settings; changes no value and not the order of the keys. */
export function withMissingSettings(config: unknown): unknown {
  if (!isRecord(config)) return config;
  const { agents, policy, repo } = config;
  return {
    ...config,
    ...(isRecord(agents) ? { agents: eachWithEnv(agents) } : {}),
    ...(isRecord(agents) && config['knowledge'] === undefined ? { knowledge: noKnowledge } : {}),
    ...(isRecord(policy)
      ? { policy: complete(policy, { setbacksMax: 5, limitWaitMsMax: 12 * 3_600_000 }) }
      : {}),
    ...(isRecord(repo) ? { repo: complete(repo, { protectedBranches: [] }) } : {}),
  };
}

const noKnowledge = { prices: {}, usageLimitWordings: [] };

function eachWithEnv(agents: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => [
      name,
      isRecord(agent) ? complete(agent, { env: [] }) : agent,
    ]),
  );
}

function complete(
  known: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, unknown>>,
): object {
  const missing = Object.entries(defaults).filter(([name]) => known[name] === undefined);
  return missing.length === 0 ? known : { ...known, ...Object.fromEntries(missing) };
}
