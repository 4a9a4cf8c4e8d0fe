// Records a person's consent that agents work as root; one client asks for it.
import type { RunConfig } from './config.ts';

export function allowRoot<Part extends Pick<RunConfig, 'agents'>>(config: Part): Part {
  const agents = Object.entries(config.agents).map(([name, agent]) => [
    name,
    agent.driver === 'claude' ? { ...agent, options: { ...agent.options, asRoot: 'allow' } } : agent,
  ]);
  return { ...config, agents: Object.fromEntries(agents) as RunConfig['agents'] };
}
