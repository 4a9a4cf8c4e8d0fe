// Presets of CMake, and services that Docker starts: those that decide tests; the rest of the file is free. Pure.
import { spell } from '#analysis/texts/plain.ts';
import { readYaml } from '#analysis/texts/yaml.ts';
import { pick, readJson, recordOf, unreadable } from './json-text.ts';
import type { Sections } from './sections.ts';

const judging = /\b(?:tests?|pytest|ctest|tox|nox|jest|vitest|mocha|rspec|phpunit|e2e|lint|eslint)\b/i;

/** `CMakePresets.json`: how tests are started; how the work is built is free. */
export function presetSections(text: string): Sections {
  const settings = recordOf(readJson(text));
  return settings === null ? unreadable(text) : pick(settings, ['testPresets', 'workflowPresets', 'include']);
}

/** `compose.yaml`: services that are called, or start, a test. Others are free. */
export function composeSections(text: string): Sections {
  const documents = readYaml(text, 'typed');
  const settings = recordOf(documents?.[0] ?? {});
  if (documents === null || documents.length > 1 || settings === null) return unreadable(text);
  const started = Object.entries(recordOf(settings['services']) ?? {});
  const deciding = started.filter(([name, service]) => {
    const { command, entrypoint } = recordOf(service) ?? {};
    return judging.test(name.replace(/[_-]/g, ' ')) || judging.test(spell([command, entrypoint]));
  });
  return new Map(deciding.map(([name, service]) => [`command.${name}`, spell(service)]));
}
