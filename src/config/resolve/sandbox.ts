// How agents and checks are shut in, from the settings.
import type { RunConfig, SandboxConfig } from '#kernel/model/config.ts';
import { foreignDriver } from '#kernel/decide/foreign.ts';
import { type Layer, setting } from '#config/layers.ts';

/**
 * Without one a run does not start, unless a person says so: nobody sees at night what an agent does with their rights. A session in
 * the person's own client is not ours to shut in, and they sit in front of it.
 */
export function sandboxOf(settings: Layer, agents: RunConfig['agents'] = {}): SandboxConfig {
  const kind = setting(settings, 'sandbox.use');
  const isInteractive = Object.values(agents).some(({ driver }) => driver === foreignDriver);
  const isNamed = kind === 'bubblewrap' || kind === 'srt';
  return {
    kind,
    isRequired: setting(settings, 'sandbox.required') ?? (isNamed || !isInteractive),
    why: '',
    allowRead: setting(settings, 'sandbox.allowRead'),
    denyRead: setting(settings, 'sandbox.denyRead'),
    allowWrite: setting(settings, 'sandbox.allowWrite'),
    allowHosts: setting(settings, 'sandbox.allowHosts'),
  };
}
