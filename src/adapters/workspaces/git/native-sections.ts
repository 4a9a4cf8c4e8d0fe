// Builds and images that tests are started by, in presets of CMake, Bazel and Docker: the calls that decide tests; the rest of the file is free. Pure.
import { pick, readJson, recordOf } from './json-text.ts';
import type { Sections } from './sections.ts';

const judging = /\b(?:tests?|pytest|ctest|tox|nox|jest|vitest|mocha|rspec|phpunit|e2e|lint|eslint)\b/i;

/** `CMakePresets.json`: how tests are started; how the work is built is free. */
export function presetSections(text: string): Sections {
  const settings = recordOf(readJson(text));
  return settings === null
    ? new Map([['unreadable', text]])
    : new Map(pick(settings, ['testPresets', 'workflowPresets']));
}

/** `BUILD`, `BUILD.bazel`: each rule of a test, without what it depends on; of its sources none may go. */
export function bazelSections(text: string): Sections {
  const found = new Map<string, string>();
  const code = text.replace(/#.*$/gm, '');
  for (const [, kind = '', raw = ''] of code.matchAll(
    /^(\w*_test|test_suite|\w*_tests)\(((?:[^()]|\([^()]*\))*)\)/gm,
  )) {
    const name = /\bname\s*=\s*["']([^"']+)/.exec(raw)?.[1] ?? '';
    const sources = /\b(?:srcs|tests)\s*=\s*\[([^\]]*)\]/.exec(raw)?.[1] ?? '';
    for (const [, source = ''] of sources.matchAll(/["']([^"']+)["']/g))
      found.set(`include.${name}/${source}`, '');
    const rest = raw.replace(
      /\b(?:srcs|tests|deps|data|visibility|copts|linkopts|name)\s*=\s*(?:\[[^\]]*\]|["'][^"']*["'])\s*,?/g,
      '',
    );
    add(found, `gate.${kind} ${name}`, rest);
  }
  return found;
}

/** Steps of an image that run tests, one command each; new ones are free. */
export function imageSections(text: string): Sections {
  const found = new Map<string, string>();
  const lines = text
    .replace(/^\s*#.*\n?/gm, '')
    .replace(/\\\s*\n/g, ' ')
    .split('\n');
  for (const line of lines) {
    const [, step = '', rest = ''] = /^\s*(RUN|CMD|ENTRYPOINT)\s+(.*)$/i.exec(line) ?? [];
    for (const command of rest.split(/&&|;/).map((each) => each.trim().replace(/\s+/g, ' ')))
      if (judging.test(command)) add(found, `gate.${step} ${command}`, command);
  }
  return found;
}

/** `compose.yaml`: services that are called, or start, a test. Others are free. */
export function composeSections(text: string): Sections {
  const found = new Map<string, string>();
  const [, services = ''] = /^services:[ \t]*\n((?:[ \t#].*\n?|\s*\n)*)/m.exec(text) ?? [];
  const indent = /^( +)\S/m.exec(services)?.[1] ?? '  ';
  for (const block of services.split(new RegExp(String.raw`^(?=${indent}[\w"'])`, 'm'))) {
    const name = /^\s*["']?([\w.-]+)["']?\s*:/.exec(block)?.[1] ?? '';
    const started = (block.match(/^\s+(?:command|entrypoint)\s*:.*(?:\n\s+-.*)*/gm) ?? []).join('\n');
    if (name !== '' && (judging.test(name.replace(/[_-]/g, ' ')) || judging.test(started)))
      add(found, `command.${name}`, block.replace(/^\s*#.*$/gm, ''));
  }
  return found;
}

function add(found: Map<string, string>, section: string, text: string): void {
  found.set(section, `${found.get(section) ?? ''}${text.replace(/\s+/g, ' ').trim()}\n`);
}
