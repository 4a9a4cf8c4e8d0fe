// Which files are tests, by what is in them, where the path does not say so. Pure.
//
// A test file uses a test library *and* defines tests, at the outermost level where the language has one, and offers
// nothing to others. Product code that mentions a library, helpers for tests, the sources of a test framework and
// product code with its own tests in the same file have at most two of the three. In a file with an ambiguous name
// (`src/sum-test.js`) a library or a definition is enough. Rust keeps tests inside of product files: they are pinned
// one by one, and never as files.
import { isShellTest } from './shell-tests.ts';
import { isAmbiguousTestName } from './test-names.ts';

interface Language {
  readonly files: RegExp;
  readonly library: RegExp;
  /** Global names of a test library. */
  readonly words?: RegExp;
  readonly defines: RegExp;
  /** Other files may use it, so it is no test. */
  readonly offers?: (text: string) => boolean;
}

const scriptLibraries = String.raw`node:test|vitest|@jest\/globals|mocha|ava|tape|tap|uvu|bun:test|qunit|jasmine|cypress|chai|supertest|@playwright\/test|@testing-library\/[\w-]+|@japa\/runner|(?:jsr:|https:\/\/deno\.land\/)?@?std[@\w./-]*\/(?:testing|assert)[\w./-]*`;

const languages: readonly Language[] = [
  {
    files: /\.[cm]?[jt]sx?$/,
    library: new RegExp(String.raw`(?:\bfrom|\bimport|\brequire\()\s*\(?['"](?:${scriptLibraries})['"]`),
    words: /^[ \t]+(?:expect|assert(?:\.\w+)?)\s*\(/m,
    defines:
      /^(?:await )?(?:(?:t|tap|test|Deno|QUnit)\.)?(?:describe|it|test|suite|context|specify)(?:\.\w+)?\s*\(\s*(?:['"`]|async\b|\{\s*name)/m,
    offers: (text) => /^export\b|^(?:module\.)?exports\b/m.test(text),
  },
  {
    files: /\.py$/,
    library:
      /^(?:import|from)\s+(?:pytest|unittest|django\.test|hypothesis|nose2?|testtools|absl\.testing)\b/m,
    defines: /^(?:async )?def test_\w*\s*\(|^(?: {2}| {4}|\t)(?:async )?def test[_A-Z]\w*\s*\(\s*self\b/m,
    offers: hasMoreThanTests,
  },
  {
    files: /\.(?:java|kt|groovy|scala)$/,
    library:
      /^import (?:static )?(?:org\.(?:junit|testng|scalatest|specs2)|junit\.framework|kotlin\.test|io\.kotest|spock\.lang)\b/m,
    defines:
      /^[ \t]*@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b|\bextends\s+(?:TestCase|Specification|\w*(?:FunSuite|FlatSpec|WordSpec))\b|:\s*(?:String|Fun|Behavior|Describe|Should)Spec\b/m,
  },
  {
    files: /\.(?:cs|fs|vb)$/,
    library:
      /^[ \t]*(?:using|open|Imports) (?:Xunit|NUnit\.Framework|Microsoft\.VisualStudio\.TestTools|TUnit)\b/m,
    defines: /^[ \t]*[[<]+(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b/m,
  },
  {
    files: /\.php$/,
    library: /\bextends\s+\\?(?:\w+\\)*TestCase\b/,
    words: /^[ \t]+expect\s*\(|^uses\(/m,
    defines: /\bfunction\s+test\w*\s*\(|@test\b|#\[Test\b|^(?:it|test)\(\s*['"]/m,
  },
  {
    files: /\.rb$/,
    library:
      /^require\s+['"](?:rspec|minitest\/\w+|test\/unit|(?:spec|test|rails)_helper)['"]|^RSpec\.describe\b/m,
    defines: /^[ \t]+(?:it|specify|should|test)\s+['"]|^[ \t]+def test_\w+/m,
  },
  { files: /\.(?:sh|bash)$/, library: /^@test\s/m, defines: /^@test\s/m },
  {
    files: /\.pl$/,
    library: /^[ \t]*use\s+(?:Test::(?:More|Simple|Most|Class|Spec|Exception|Deep)|Test2::)/m,
    defines: /^[ \t]*(?:ok|is|isnt|like|is_deeply|cmp_ok|subtest|done_testing|plan)\b/m,
  },
  {
    files: /\.(?:c|cc|cpp|cxx|mm?)$/,
    library:
      /^[ \t]*#\s*(?:include|import)\s*[<"](?:gtest\/|gmock\/|catch2?\/|catch\.hpp|doctest|boost\/(?:test|ut)|unity\.h|check\.h|cmocka|criterion\/|XCTest\/|greatest\.h|munit\.h)/m,
    defines:
      /^[ \t]*(?:TEST|TEST_F|TEST_P|TYPED_TEST|TEST_CASE|SCENARIO|BOOST_AUTO_TEST_CASE|BOOST_FIXTURE_TEST_CASE|START_TEST|Test|MunitResult)\s*\(|\b(?:RUN_TEST|cmocka_unit_test)\s*\(|^- \(void\)\s*test/m,
  },
  { files: /\.exs?$/, library: /^[ \t]*use ExUnit\.Case\b/m, defines: /^[ \t]+test\s+"/m },
  {
    files: /\.dart$/,
    library: /^import\s+['"]package:(?:test|flutter_test)\//m,
    defines: /^[ \t]+(?:test|group|testWidgets)\(\s*['"]/m,
  },
  {
    files: /\.swift$/,
    library: /^(?:@testable )?import (?:XCTest|Testing)\b/m,
    defines: /^[ \t]*(?:@Test\b|func test\w*\s*\()/m,
  },
  {
    files: /\.ml$/,
    library: /\b(?:Alcotest|OUnit2?|QCheck)\b/,
    defines: /\b(?:Alcotest\.run|run_test_tt(?:_main)?)\b|^let(?:%| )test/m,
  },
  { files: /\.[Rr]$/, library: /^[ \t]*(?:library|require)\(testthat\)/m, defines: /^[ \t]*test_that\(/m },
];

/** Whether the text of such a file could make it a test. */
export function isReadableTest(path: string): boolean {
  return languages.some(({ files }) => files.test(path));
}

/** Whatever else it does: helpers for tests, and product code that brings its tests along, do so as well. */
export function loadsTestLibrary(path: string, text: string): boolean {
  return languages.some(({ files, library }) => files.test(path) && library.test(text));
}

/** At least one test is defined in it. */
export function definesTests(path: string, text: string): boolean {
  return languages.some(({ files, defines }) => files.test(path) && defines.test(text));
}

export function isTestText(path: string, text: string): boolean {
  if (isShellTest(path, text)) return true;
  const language = languages.find(({ files }) => files.test(path));
  if (language === undefined) return false;
  const { library, words, defines, offers } = language;
  const isUsing = library.test(text) || words?.test(text) === true;
  const isDefining = defines.test(text);
  const isLikely = isAmbiguousTestName(path) ? isUsing || isDefining : isUsing && isDefining;
  return isLikely && offers?.(text) !== true;
}

/** Python has no exports: a file with as many functions as tests is product code that brings its tests along. */
function hasMoreThanTests(text: string): boolean {
  const isPlain = /^(?:async )?def (?!test|_|set_?up|tear_?down)\w/;
  const lines = text.split('\n');
  const functions = lines.filter((line, at) => isPlain.test(line) && !(lines[at - 1] ?? '').startsWith('@'));
  const tests = lines.filter((line) => /^[ \t]*(?:async )?def test/.test(line));
  return functions.length >= Math.max(tests.length, 1);
}
