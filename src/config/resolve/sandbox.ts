// Reads the sandbox of agents and checks from the settings.
import type { RunConfig, SandboxConfig } from '#kernel/model/config.ts';
import { attachedDriver } from '#kernel/decide/attached.ts';
import { type Layer, setting } from '#config/layers.ts';

/**
 * Without a sandbox a run does not start, unless the user allows it: an agent acts unwatched with the user's
 * rights. We cannot confine a session in the person's own client, and the person watches it.
 */
export function sandboxOf(settings: Layer, agents: RunConfig['agents'] = {}): SandboxConfig {
  const kind = setting(settings, 'sandbox.use');
  const isInteractive = Object.values(agents).some(({ driver }) => driver === attachedDriver);
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
