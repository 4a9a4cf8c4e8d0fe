// Builds and images that tests are started by, in CMake, Bazel and Docker: the calls that decide tests; the rest of the file is free. Pure.
import { pick, readJson, recordOf } from './json-text.ts';
import type { Sections } from './sections.ts';

const judging = /\b(?:tests?|pytest|ctest|tox|nox|jest|vitest|mocha|rspec|phpunit|e2e|lint|eslint)\b/i;
const declaring =
  /^(?:add_test|gtest_discover_tests|gtest_add_tests|catch_discover_tests|doctest_discover_tests)$/i;
const weakening =
  /\b(?:DISABLED|WILL_FAIL|PASS_REGULAR_EXPRESSION|SKIP_RETURN_CODE|SKIP_REGULAR_EXPRESSION)\b/;

/** `gate.X` for each test as it is started, new ones are free; `weak.X Y` for what is taken from the tests X and Y. */
export function cmakeSections(text: string): Sections {
  const found = new Map<string, string>();
  const code = text.replace(/#\[(=*)\[[\s\S]*?\]\1\]|#.*$/gm, '');
  for (const [, name = '', raw = ''] of code.matchAll(/\b(\w+)\s*\(((?:[^()]|\([^()]*\))*)\)/g)) {
    const words = raw.trim().split(/\s+/);
    const told = words.join(' ');
    if (declaring.test(name)) add(found, `gate.test ${testOf(words)}`, told);
    else if (/^enable_testing$/i.test(name)) add(found, 'gate.enable_testing', told);
    else if (/^include$/i.test(name) && words[0] === 'CTest') add(found, 'gate.include CTest', told);
    else if (/^set$/i.test(name) && /^(?:CTEST_|BUILD_TESTING$)/.test(words[0] ?? ''))
      add(found, `switch.${words[0] ?? ''}`, told);
    else if (isProperty(name, words) && weakening.test(told))
      add(found, `weak.${testsOf(words).join(' ')}`, told);
  }
  return found;
}

function testOf([first = '', second = '']: readonly string[]): string {
  return first === 'NAME' ? second : first;
}

function isProperty(name: string, [first]: readonly string[]): boolean {
  return /^set_tests_properties$/i.test(name) || (/^set_property$/i.test(name) && first === 'TEST');
}

function testsOf(words: readonly string[]): string[] {
  const end = words.findIndex((word) => /^(?:PROPERTIES|PROPERTY|APPEND|APPEND_STRING)$/.test(word));
  return words.slice(0, end < 0 ? words.length : end).filter((word) => word !== 'TEST');
}

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
