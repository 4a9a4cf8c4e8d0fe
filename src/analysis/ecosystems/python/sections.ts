// Reads pyproject.toml and requirements: the parts that decide checks, and sources of packages. Pure.
import { valueAt } from '#analysis/texts/plain.ts';
import { readToml } from '#analysis/texts/toml.ts';
import { type Json, pick, pickPaths, recordOf, unreadable } from '#analysis/texts/json-text.ts';
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';
import { dependenciesOf, placesOf } from '#analysis/ecosystems/manifests/toml-places.ts';

const pythonPrefixes = [
  'tool.pytest',
  'tool.coverage',
  'tool.ruff',
  'tool.mypy',
  'tool.pyright',
  'tool.basedpyright',
  'tool.pylint',
  'tool.flake8',
  'tool.isort',
  'tool.black',
  'tool.tox',
  'tool.nox',
  'tool.bandit',
  'tool.poe',
  'tool.pdm.scripts',
  'tool.pdm.source',
  'tool.taskipy',
  'tool.uv.index',
  'tool.uv.override-dependencies',
  'tool.uv.find-links',
  'tool.poetry.source',
  'project.entry-points.pytest11',
  'tool.poetry.plugins.pytest11',
];

export function pythonSections(text: string): Sections {
  const manifest = readToml(text);
  if (manifest === null) return unreadable(text);
  const poetry = recordOf(valueAt(manifest, 'tool.poetry')) ?? {};
  const groups = [poetry, ...Object.values(recordOf(poetry['group']) ?? {})];
  const places = placesOf([valueAt(manifest, 'tool.uv.sources'), ...groups.flatMap(dependenciesOf)]);
  for (const each of textsIn(manifest)) {
    const [, name = '', place] = /^([\w.-]+)\s*(?:\[[^\]]*\])?\s*@\s*([^;\s]+)/.exec(each) ?? [];
    if (place !== undefined) places.set(`place.${name}`, place);
  }
  return new Map([...pickPaths(manifest, pythonPrefixes), ...hatchSections(manifest), ...places]);
}

/** Commands that hatch starts in its environments; its installed packages are free. */
function hatchSections(manifest: Json): [string, string][] {
  const environments = Object.entries(recordOf(valueAt(manifest, 'tool.hatch.envs')) ?? {});
  const keys = ['scripts', 'env-vars', 'pre-install-commands', 'post-install-commands', 'overrides'];
  return environments.flatMap(([name, environment]) =>
    [...pick(recordOf(environment) ?? {}, keys)].map(([key, value]): [string, string] => [
      `tool.hatch.envs.${name}.${key}`,
      value,
    ]),
  );
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** `requirements.txt`: names with their own source, and unusual indexes. */
export function requirementSections(text: string): Sections {
  const sections = new Map<string, string>();
  const whole = text.replace(/\\\r?\n/g, '');
  const lines = whole.split('\n').map((line) => line.replace(/(^|\s)#.*$/, '').trim());
  for (const line of lines) {
    const [, name, place] = /^([\w.-]+)\s*(?:\[[^\]]*\])?\s*@\s*(\S+)/.exec(line) ?? [];
    if (name !== undefined && place !== undefined) sections.set(`place.${name}`, place);
    const egg = /[#&]egg=([\w.-]+)/.exec(line)?.[1];
    if (egg !== undefined) sections.set(`place.${egg}`, line);
  }
  const index = lines.filter((line) =>
    /^(-i|-f|--(index-url|extra-index-url|find-links|trusted-host|no-index))\b/.test(line),
  );
  if (index.length > 0) sections.set('index', index.toSorted().join('\n'));
  return sections;
}
