// Facts about C and C++: CMake, make.
import { first, none } from '#analysis/output/runner-line.ts';
import { pick, readJson, recordOf, unreadable } from '#analysis/texts/json-text.ts';
import type { Ecosystem } from './ecosystem.ts';
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';

export const c: Ecosystem = {
  name: 'C and C++',
  setup: { unread: [/^(conanfile\.(txt|py)|vcpkg\.json)$/] },
  pins: {
    // A build that is a program: pinned as a whole.
    settings: [/^(CMakeLists\.txt|[\w.-]+\.cmake)$/],
    // A build makes them outside of the repository; if committed, they decide which tests `ctest` skips.
    runnerSettings: [/(^|\/)(CTestConfig\.cmake|CTestTestfile\.cmake|CTestCustom\.(cmake|ctest))$/],
    readByRunners: [/(^|\/)CTestCustom\.(cmake|ctest)$/],
    ownSettings: [[/\b(ctest|cmake)\b/, ['CTestConfig.cmake', 'CTestCustom.cmake', 'CMakeUserPresets.json']]],
    notData: [/(^|\/)CMakeLists\.txt$/i],
    sections: [[/^CMake(User)?Presets\.json$/, presetSections]],
  },
  tests: {
    lines: [
      { runner: 'ctest', pattern: /^No tests were found!!!$/, counts: none },
      { runner: 'ctest', pattern: /^\d+% tests passed, \d+ tests failed out of (\d+)$/, counts: first },
    ],
    files: [/_test\.(c|cc|cpp|cxx)$/, /(^|\/)test_[^/]+\.(c|cc|cpp|cxx)$/, /_unittests?\.(cc|cpp|cxx|c|mm)$/],
    texts: [
      {
        files: /\.(?:c|cc|cpp|cxx|mm?)$/,
        library:
          /^[ \t]*#\s*(?:include|import)\s*[<"](?:gtest\/|gmock\/|catch2?\/|catch\.hpp|doctest|boost\/(?:test|ut)|unity\.h|check\.h|cmocka|criterion\/|XCTest\/|greatest\.h|munit\.h)/m,
        defines:
          /^[ \t]*(?:TEST|TEST_F|TEST_P|TYPED_TEST|TEST_CASE|SCENARIO|BOOST_AUTO_TEST_CASE|BOOST_FIXTURE_TEST_CASE|START_TEST|Test|MunitResult)\s*\(|\b(?:RUN_TEST|cmocka_unit_test)\s*\(|^- \(void\)\s*test/m,
      },
    ],
    // gdb: `#3 0x…`
    frames: [/^\s*#\d+\s+0x/],
    selecting: { programs: ['ctest'] },
    settings: 'CMakeLists.txt',
  },
  gates: { why: 'where its build is made is for the user to say' },
  machine: { why: 'its compilers read no settings of the user' },
  programs: {
    checking: 'cmake ctest',
    started: 'cmake ctest ninja meson cc gcc clang g++ c++ ld',
    common: 'make cmake ctest ninja',
    rare: 'gcc g++ clang cc',
  },
};

/** `CMakePresets.json`: the start of tests is pinned; the build of the work is free. */
function presetSections(text: string): Sections {
  const settings = recordOf(readJson(text));
  return settings === null ? unreadable(text) : pick(settings, ['testPresets', 'workflowPresets', 'include']);
}
