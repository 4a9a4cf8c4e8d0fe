// `actions.*`: the settings of the action loop, its texts, and the repository's description files.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ActionSettings } from '#kernel/actions/action.ts';
import { defaultTexts } from '#policies/loops/actions/action-texts.ts';
import { defaultActions } from '#policies/loops/actions/settings.ts';
import type { Preset } from '#policies/presets/preset.ts';
import { OperatorError } from '#base/operator-error.ts';
import { durationOf, type Layer, setting } from '#config/layers.ts';

/** Files that describe a project for agents, and the folders to search. */
const projectFiles = ['project-tech.json', 'project-guidelines.json'];
const projectFolders = ['.workflow', '.untildone'];

/** Enough for any description; a longer one would crowd out the work. */
const projectCharsMax = 32_000;

/** Undefined for a preset without this loop. `mode` does not distinguish one start from another. */
export async function actionsFrom(
  place: { readonly root: string },
  settings: Layer,
  preset: Preset,
  projectFile: string | null,
): Promise<Omit<ActionSettings, 'mode'> | undefined> {
  if (preset.actions !== true) return refuseUnused(settings, preset);
  const turnTimeoutMs = durationOf(settings, 'actions.turnTimeout') ?? defaultActions.turnTimeoutMs;
  if (turnTimeoutMs <= 0)
    throw new OperatorError(
      'bad-flag',
      `${settings.get('actions.turnTimeout')?.origin.where ?? 'actions.turnTimeout'} is 0; a turn needs time.`,
      'For example: --turn-timeout 10m',
    );
  const folder = projectFile === null ? join(place.root, '.untildone') : dirname(projectFile);
  const texts: { [name: string]: string } = {};
  for (const [name, text] of Object.entries(defaultTexts))
    texts[name] = (await textAt(join(folder, 'actions', `${name}.md`))) ?? text;
  return {
    turnTimeoutMs,
    texts,
    project: await projectOf(place.root),
  };
}

/** A terminal means interactive, unless the user chose otherwise. */
export function modeFrom(settings: Layer, isTerminal: boolean): ActionSettings['mode'] {
  return setting(settings, 'actions.mode') ?? (isTerminal ? 'interactive' : defaultActions.mode);
}

async function projectOf(root: string): Promise<ActionSettings['project']> {
  const found: { path: string; text: string }[] = [];
  for (const name of projectFiles)
    for (const folder of projectFolders) {
      const path = `${folder}/${name}`;
      const text = await textAt(join(root, folder, name));
      if (text !== null) found.push({ path, text: text.slice(0, projectCharsMax) });
    }
  return found;
}

async function textAt(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.trim() === '' ? null : text.trim();
}

/** An unused flag would mislead the user, so it is refused; a file may hold settings for another preset. */
function refuseUnused(settings: Layer, preset: Preset): undefined {
  for (const [path, { origin }] of settings) {
    if (!path.startsWith('actions.') || origin.kind !== 'flag') continue;
    throw new OperatorError(
      'bad-flag',
      `${origin.where} is for the preset actions; this run has the preset ${preset.name}.`,
      `Leave out ${origin.where}, or add --preset actions.`,
    );
  }
}
