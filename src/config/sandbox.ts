// How agents and checks are shut in, from the settings.
import type { SandboxConfig } from '#kernel/config.ts';
import { sandboxedPresets } from './defaults.ts';
import type { Layer } from './layers.ts';
import { setting } from './layers.ts';

export const sandboxUses = ['auto', 'bubblewrap', 'srt', 'none'] as const;

/** Whoever names one wants that one; `auto` takes what there is, and does without where the preset may. */
export function sandboxOf(settings: Layer, preset: string): SandboxConfig {
  const kind = setting(settings, 'sandbox.use') ?? 'auto';
  const isNamed = kind === 'bubblewrap' || kind === 'srt';
  return {
    kind,
    isRequired: setting(settings, 'sandbox.required') ?? (isNamed || sandboxedPresets.includes(preset)),
    why: '',
    allowRead: setting(settings, 'sandbox.allowRead') ?? [],
    denyRead: setting(settings, 'sandbox.denyRead') ?? [],
    allowWrite: setting(settings, 'sandbox.allowWrite') ?? [],
    allowHosts: setting(settings, 'sandbox.allowHosts') ?? [],
  };
}
