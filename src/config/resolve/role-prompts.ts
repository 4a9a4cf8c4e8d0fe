// Finds the prompt of each role: the preset's own, unless the repository has another.
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { OperatorError } from '#base/operator-error.ts';
import { type Layer, namesBelow } from '#config/layers.ts';
import { didYouMean } from '#base/suggest.ts';
import type { Preset } from '#policies/presets/preset.ts';

/** `roles.<role>.prompt`, else `.untildone/prompts/<role>.md` beside the project file or at the root. */
export async function promptsOf(
  place: { readonly root: string },
  settings: Layer,
  preset: Preset,
  projectFile: string | null,
): Promise<{ [role: string]: string }> {
  refuseUnknownRoles(settings, preset);
  const folder = projectFile === null ? join(place.root, '.untildone') : dirname(projectFile);
  const prompts: { [role: string]: string } = {};
  for (const role of Object.keys(preset.roles)) {
    const named = settings.get(`roles.${role}.prompt`)?.value;
    const path =
      typeof named === 'string'
        ? isAbsolute(named)
          ? named
          : resolve(folder, named)
        : join(folder, 'prompts', `${role}.md`);
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text === null && typeof named === 'string') {
      throw new OperatorError(
        'no-prompt',
        `The prompt of the ${role}, ${path}, cannot be read.`,
        'Correct "roles" in the configuration, or write the file.',
      );
    }
    if (text !== null && text.trim() !== '') prompts[role] = text;
  }
  return prompts;
}

function refuseUnknownRoles(settings: Layer, preset: Preset): void {
  const known = Object.keys(preset.roles);
  for (const role of namesBelow(settings, 'roles')) {
    if (known.includes(role)) continue;
    const where =
      [...settings].find(([path]) => path.startsWith(`roles.${role}.`))?.[1].origin.where ?? 'configuration';
    const hint = didYouMean(role, known) ?? `Its roles are ${known.join(', ')}.`;
    throw new OperatorError('bad-config', `${where}: the preset ${preset.name} has no role "${role}".`, hint);
  }
}
