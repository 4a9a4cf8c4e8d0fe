// Adds the configured reviewers to a preset: each is a separate role and a criterion of every task.
import type { Criterion } from '#kernel/model/criterion.ts';
import { presets } from '#policies/presets/index.ts';
import { OperatorError } from '#base/operator-error.ts';
import { type Layer, type ReviewerEntry, setting } from '#config/layers.ts';
import type { Preset } from '#policies/presets/preset.ts';

/** The preset with the configured reviewers, and the settings with their agents. */
export function withReviewers(preset: Preset, settings: Layer): { preset: Preset; settings: Layer } {
  const entries = setting(settings, 'reviewers') ?? [];
  if (entries.length === 0) return { preset, settings };
  const reviewer = presets['builder-verifier']?.roles['verifier'];
  if (reviewer === undefined) return { preset, settings };
  const origin = settings.get('reviewers')?.origin ?? { kind: 'default', where: '' };
  const known = new Map(settings);
  const roles = { ...preset.roles };
  for (const { name, ...played } of entries) {
    if (Object.hasOwn(roles, name)) throw nameTaken(name, origin.where);
    roles[name] = reviewer;
    for (const [key, value] of Object.entries(played)) {
      if (!known.has(`roles.${name}.${key}`)) known.set(`roles.${name}.${key}`, { value, origin });
    }
  }
  return {
    preset: { ...preset, roles, tasks: (input) => reviewed(preset, input, entries) },
    settings: known,
  };
}

function reviewed(
  preset: Preset,
  input: Parameters<Preset['tasks']>[0],
  entries: readonly ReviewerEntry[],
): ReturnType<Preset['tasks']> {
  return preset.tasks(input).map((task) => {
    const taken = entries.find(({ name }) => task.criteria.some(({ id }) => id === name));
    if (taken !== undefined) throw nameTaken(taken.name, 'reviewers');
    return { ...task, criteria: [...task.criteria, ...entries.map(criterionOf)] };
  });
}

function criterionOf({ name }: ReviewerEntry): Criterion {
  return {
    id: name,
    text: `the reviewer ${name} finds nothing wrong with the work`,
    kind: 'exit',
    required: true,
    when: 'attempt',
    check: { kind: 'reviewer', role: name },
  };
}

function nameTaken(name: string, where: string): OperatorError {
  return new OperatorError(
    'bad-config',
    `${where}: the name "${name}" is taken by a role or a check, so a reviewer cannot have it.`,
    'Give each reviewer a name of its own, such as "security".',
  );
}
