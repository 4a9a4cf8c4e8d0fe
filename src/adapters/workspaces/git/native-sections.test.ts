// CMake, Bazel and Docker: what starts the tests may not be changed, and honest work in the same file is free.
import { afterEach, describe, expect, it } from 'vitest';
import { openPinnedSample, type PinnedSample } from './pinned-sample.ts';
import { rivalFiles } from './pin-rules.ts';
import { changedSections } from './section-rules.ts';
import { sectionsOf } from './sections.ts';

function changes(path: string, before: string, after: string): string[] {
  const sides = { before, after, old: sectionsOf(path, before), now: sectionsOf(path, after) };
  const around = {
    files: { base: [path], now: [path] },
    wanted: new Set<string>(),
    moved: new Set<string>(),
  };
  return changedSections({ path, ...sides, ...around }).map(([section]) => section);
}

const cmake = `cmake_minimum_required(VERSION 3.20)
project(sample)
include(CTest)
enable_testing()
add_library(sum src/sum.c)
add_executable(sum_test test/sum_test.c)
target_link_libraries(sum_test sum)
add_test(NAME sum COMMAND sum_test --all) # every one
`;
const beside = cmake.replace('sum_test test/sum_test.c', 'sum_test test/sum_test.c src/sum.c');
const byFile = cmake.replace('COMMAND sum_test', 'COMMAND $<TARGET_FILE:sum_test>');
const grouped = cmake
  .replace('add_executable(sum_test test/sum_test.c)', 'add_executable(sum_test ${TESTS})')
  .replace('add_library', 'set(TESTS test/sum_test.c)\nadd_library');
const bazel = `load("@rules_cc//cc:defs.bzl", "cc_test")
cc_library(name = "sum", srcs = ["sum.cc"])
cc_test(
    name = "sum_test",
    srcs = ["sum_test.cc", "more_test.cc"],
    deps = [":sum"],
)
`;
const image = 'FROM node:24\nRUN npm ci && npm test && npm run build\nCMD ["node", "server.js"]\n';
const compose =
  'services:\n  web:\n    image: node:24\n  tests:\n    image: node:24\n    command: npm test\n';
const presets = (value: unknown): string => JSON.stringify({ version: 6, ...(value as object) });

describe('what a build starts as a test', () => {
  it.each([
    ['CMakeLists.txt', cmake, cmake.replace('sum_test --all', 'true')],
    ['CMakeLists.txt', cmake, cmake.replace(/^add_test.*\n/m, '')],
    ['CMakeLists.txt', cmake, cmake.replace('enable_testing()', '#enable_testing()')],
    ['CMakeLists.txt', cmake, `${cmake}set_tests_properties(sum PROPERTIES DISABLED TRUE)\n`],
    ['CMakeLists.txt', cmake, `${cmake}set_property(TEST sum PROPERTY WILL_FAIL ON)\n`],
    ['CMakeLists.txt', cmake, `set(BUILD_TESTING OFF)\n${cmake}`],
    ['CMakeLists.txt', cmake, cmake.replace('test/sum_test.c', 'src/main.c')],
    [
      'CMakeLists.txt',
      cmake,
      cmake.replace(/^(add_executable.*)$/m, 'if(OFF)\n$1\nendif()\nadd_executable(sum_test m.c)'),
    ],
    ['CMakeLists.txt', grouped, grouped.replace('test/sum_test.c', 'src/main.c')],
    ['CMakeLists.txt', byFile, byFile.replace('test/sum_test.c', 'src/main.c')],
    ['CMakeLists.txt', grouped, grouped.replace('sum_test ${TESTS}', 'sum_test src/main.c')],
    ['CMakeLists.txt', cmake, `add_compile_definitions(NDEBUG)\n${cmake}`],
    ['CMakeLists.txt', cmake, `set(CMAKE_C_FLAGS "\${CMAKE_C_FLAGS} -DNDEBUG")\n${cmake}`],
    ['CMakeLists.txt', cmake, `${cmake}target_compile_definitions(sum_test PRIVATE NDEBUG)\n`],
    ['CMakeLists.txt', cmake, `set(CMAKE_BUILD_TYPE Release)\n${cmake}`],
    ['CMakeLists.txt', cmake, `set(CMAKE_BUILD_TYPE "RelWithDebInfo" CACHE STRING "")\n${cmake}`],
    [
      'CMakeLists.txt',
      cmake,
      `${cmake}set_target_properties(sum_test PROPERTIES CROSSCOMPILING_EMULATOR true)\n`,
    ],
    ['CMakeLists.txt', cmake, `set(CMAKE_TEST_LAUNCHER /bin/true)\n${cmake}`],
    ['CMakeLists.txt', cmake, `macro(add_test)\n_add_test(\${ARGV})\nendmacro()\n${cmake}`],
    ['CMakeLists.txt', cmake, `${cmake}set(T sum)\nset_tests_properties(\${T} PROPERTIES WILL_FAIL TRUE)\n`],
    ['cmake/tests.cmake', 'gtest_discover_tests(all_tests)\n', ''],
    ['CMakePresets.json', presets({ testPresets: [{ name: 'all' }] }), presets({ testPresets: [] })],
    ['BUILD.bazel', bazel, bazel.replace('deps =', 'tags = ["manual"],\n    deps =')],
    ['BUILD', bazel, bazel.replace(', "more_test.cc"', '')],
    ['pkg/BUILD', bazel, bazel.replace('deps =', 'args = ["--gtest_filter=None"],\n    deps =')],
    ['Dockerfile', image, image.replace('npm test', 'true')],
    ['ci.Dockerfile', 'FROM a\nRUN pytest \\\n  tests\n', 'FROM a\n'],
    ['compose.yaml', compose, compose.replace('npm test', 'true')],
    ['docker-compose.test.yml', compose, compose.replace('npm test', 'npm test\n    entrypoint: /bin/true')],
  ])('is as it was: %s, change %# [X8]', (path, before, after) => {
    expect(changes(path, before, after)).not.toEqual([]);
  });

  it.each([
    ['CMakeLists.txt', cmake, cmake.replace('src/sum.c', 'src/sum.c src/more.c')],
    ['CMakeLists.txt', cmake, cmake.replace('test/sum_test.c', 'test/sum_test.c test/more_test.c')],
    ['CMakeLists.txt', cmake, cmake.replace('VERSION 3.20', 'VERSION 3.28').replaceAll('\n', '\n\n')],
    [
      'CMakeLists.txt',
      cmake,
      `${cmake}add_test(NAME bad COMMAND bad_test)\nset_tests_properties(bad PROPERTIES WILL_FAIL TRUE)\n`,
    ],
    ['CMakeLists.txt', cmake, `${cmake}set_tests_properties(sum PROPERTIES TIMEOUT 10)\n`],
    [
      'CMakeLists.txt',
      beside,
      beside.replace('sum_test test/sum_test.c src/sum.c', 'sum_test test/sum_test.c'),
    ],
    ['CMakeLists.txt', cmake, `${cmake}target_compile_definitions(sum PRIVATE NDEBUG FAST)\n`],
    ['CMakeLists.txt', cmake, `set(CMAKE_BUILD_TYPE Debug)\n${cmake}`],
    [
      'CMakeLists.txt',
      `set(CMAKE_BUILD_TYPE Release)\n${cmake}`,
      `if(NOT CMAKE_BUILD_TYPE)\n  set(CMAKE_BUILD_TYPE Release)\nendif()\n${cmake}`,
    ],
    [
      'CMakeLists.txt',
      cmake,
      `${cmake}add_executable(tool tool.c)\nset(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")\n`,
    ],
    [
      'CMakeLists.txt',
      cmake,
      `${cmake}foreach(t a b)\nadd_test(NAME \${t} COMMAND \${t})\nset_tests_properties(\${t} PROPERTIES WILL_FAIL ON)\nendforeach()\n`,
    ],
    ['CMakeLists.txt', grouped, grouped.replace('test/sum_test.c', 'test/sum_test.c test/more_test.c')],
    ['CMakePresets.json', presets({ testPresets: [] }), presets({ testPresets: [], buildPresets: [{}] })],
    ['BUILD', bazel, bazel.replace('srcs = ["sum.cc"]', 'srcs = ["sum.cc", "more.cc"]')],
    ['BUILD', bazel, bazel.replace('deps = [":sum"]', 'deps = [":sum", ":more"]')],
    ['BUILD', bazel, bazel.replace('"more_test.cc"', '"more_test.cc", "third_test.cc"')],
    ['Dockerfile', image, image.replace('npm run build', 'npm run build:all').replace('node:24', 'node:25')],
    ['Dockerfile', image, `${image}RUN npm run test:e2e\n`],
    [
      'compose.yaml',
      compose,
      compose.replace('image: node:24\n  tests', 'image: node:25\n  cache:\n    image: redis\n  tests'),
    ],
  ])('leaves honest work alone: %s, change %# [X8]', (path, before, after) => {
    expect(changes(path, before, after)).toEqual([]);
  });
});

describe('a second recipe', () => {
  it('may not come beside one that is there, in any spelling that would be taken first [X8]', () => {
    const beside = (command: string, ...there: string[]): string[] =>
      rivalFiles(command, (name) => there.includes(name));
    expect(beside('task test', 'Taskfile.yaml')).toContain('taskfile.yml');
    expect(beside('rake test', 'Rakefile')).toContain('rakefile');
    expect(beside('make test', 'Makefile')).toContain('GNUmakefile');
    expect(beside('make test')).toEqual([]);
    expect(beside('bazel test //...')).toEqual(expect.arrayContaining(['.bazelrc', 'tools/bazel']));
    expect(beside('docker compose run tests')).toContain('compose.override.yml');
    expect(beside('ctest --test-dir build')).toContain('CTestCustom.cmake');
  });
});

describe('hooks and settings kept in the repository', () => {
  let pinned: PinnedSample;
  afterEach(() => pinned.sample.remove());

  it('are pinned, and those that would be read before them may not come [X8] [X12]', async () => {
    pinned = await openPinnedSample({
      '.husky/pre-commit': 'npm test\n',
      'CTestCustom.cmake': '\n',
      '.rspec': '--require spec_helper\n',
      'spec/a_spec.rb': '\n',
      'pytest.toml': '[pytest]\n',
    });
    expect(
      await pinned.brokenBy({
        '.husky/pre-commit': 'true\n',
        '.husky/_/pre-commit': 'true\n',
        'lefthook-local.yml': 'pre-commit:\n',
        'CTestCustom.cmake': 'set(CTEST_CUSTOM_TESTS_IGNORE sum)\n',
        '.rspec-local': '--dry-run\n',
        'pytest.toml': '[pytest]\naddopts = ["--co"]\n',
        '.husky/commit-msg': 'npx commitlint\n',
      }),
    ).toEqual(
      expect.arrayContaining([
        '.husky/pre-commit changed',
        '.husky/_/pre-commit added',
        'lefthook-local.yml added',
        'CTestCustom.cmake changed',
        '.rspec-local added',
        'pytest.toml changed',
      ]),
    );
    expect(await pinned.brokenBy({ '.husky/commit-msg': 'npx commitlint\n' })).toEqual([]);
  });

  it('are our own too: they say what the next run may touch, and what is started with your rights [C10]', async () => {
    pinned = await openPinnedSample({
      '.untildone/config.jsonc': '{}\n',
      '.untildone/tasks.md': '- [ ] one\n',
    });
    const open = '{ "sandbox": { "required": false } }\n';
    const broken = await pinned.brokenBy({
      '.untildone/config.jsonc': open,
      'packages/a/.untildone/config.jsonc': open,
    });
    expect(broken.toSorted()).toEqual([
      '.untildone/config.jsonc changed',
      'packages/a/.untildone/config.jsonc added',
    ]);
    expect(await pinned.brokenBy({ '.untildone/tasks.md': '- [x] one\n' })).toEqual([]);
  });
});
