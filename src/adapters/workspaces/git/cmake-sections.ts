// What decides tests in a build of CMake: how they are started, what they are made of, and what would take the sting out of them. Pure.
import type { Sections } from './sections.ts';

interface Call {
  readonly name: string;
  readonly words: readonly string[];
}

const declaring =
  /^(?:add_test|gtest_discover_tests|gtest_add_tests|catch_discover_tests|doctest_discover_tests)$/i;
const weakening =
  /\b(?:DISABLED|WILL_FAIL|PASS_REGULAR_EXPRESSION|SKIP_RETURN_CODE|SKIP_REGULAR_EXPRESSION)\b/;

/** `gate.X` for each test as it is started, new ones are free; `weak.X Y` for what is taken from the tests X and Y. */
export function cmakeSections(text: string): Sections {
  const found = new Map<string, string>();
  const calls = callsIn(text);
  const started = new Set(calls.filter(({ name }) => declaring.test(name)).flatMap(startedBy));
  for (const { name, words } of calls) {
    const [first = ''] = words;
    const told = words.join(' ');
    if (declaring.test(name)) add(found, `gate.test ${testOf(words)}`, told);
    else if (/^enable_testing$/i.test(name)) add(found, 'gate.enable_testing', told);
    else if (/^include$/i.test(name) && first === 'CTest') add(found, 'gate.include CTest', told);
    else if (/^(?:macro|function)$/i.test(name) && declaring.test(first)) add(found, `switch.${first}`, told);
    else if (/^set$/i.test(name) && /^(?:CTEST_|BUILD_TESTING$)/.test(first))
      add(found, `switch.${first}`, told);
    else if (isProperty(name, words) && weakening.test(told))
      add(found, `weak.${testsOf(words).join(' ')}`, told);
    const silent = silencing({ name, words }, started);
    if (silent !== '') found.set(`silent.${first} ${silent}`, '');
    if (/^add_executable$/i.test(name) && started.has(first)) add(found, `gate.executable ${first}`, 'once');
    // Of what a test is made of nothing may go.
    for (const source of holdsSources({ name, words }, started) ? words.filter(isTestSource) : [])
      found.set(`include.${/^(?:list|file)$/i.test(name) ? (words[1] ?? '') : first}/${source}`, '');
  }
  return found;
}

function callsIn(text: string): Call[] {
  const code = text.replace(/#\[(=*)\[[\s\S]*?\]\1\]|#.*$/gm, '');
  return [...code.matchAll(/\b(\w+)\s*\(((?:[^()]|\([^()]*\))*)\)/g)].map(([, name = '', raw = '']) => ({
    name,
    words: raw.trim().split(/\s+/),
  }));
}

/** Targets, as a name, a path or `$<TARGET_FILE:name>`. */
function startedBy({ name, words }: Call): string[] {
  const called = /^add_test$/i.test(name) ? words.slice(words[0] === 'NAME' ? 2 : 1) : words;
  return called.map((word) => word.replace(/^\$<TARGET_FILE:([^>]+)>$/, '$1').replace(/^.*\//, ''));
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

/** Assertions that are compiled away, or a program that is started in the place of a test; '' where it is neither. */
function silencing({ name, words }: Call, started: ReadonlySet<string>): string {
  const isOfAll = /^(?:set|add_(?:compile_)?(?:definitions|options))$/i.test(name);
  // What others take over from a library reaches its tests.
  const isOfTests =
    /^(?:target_compile_(?:definitions|options)|set_(?:target_)?propert(?:y|ies))$/i.test(name) &&
    words.some((word) => started.has(word) || /^(?:PUBLIC|INTERFACE)$/.test(word));
  if (!isOfAll && !isOfTests) return '';
  if (words.some((word) => /^(?:CMAKE_)?(?:CROSSCOMPILING_EMULATOR|TEST_LAUNCHER)$/.test(word)))
    return words.join(' ');
  // Where nothing was said, a build keeps its assertions.
  if (words[0] === 'CMAKE_BUILD_TYPE' && words.some((word) => /^["']?(?:Rel|MinSizeRel)/i.test(word)))
    return 'NDEBUG';
  const isForRelease = /^CMAKE_\w+_FLAGS_/.test(words[0] ?? '');
  const isOff = words.some((word) => /^["']?(?:-D)?NDEBUG(?:=\w*)?["']?$/.test(word));
  return isOff && !isForRelease ? 'NDEBUG' : '';
}

/** A target that a test starts, or a variable: it may be one that such a target is made of. */
function holdsSources({ name, words }: Call, started: ReadonlySet<string>): boolean {
  if (/^(?:add_executable|target_sources)$/i.test(name)) return started.has(words[0] ?? '');
  return /^(?:set|list|file)$/i.test(name);
}

/** A source that is called a test, or a variable that is. */
function isTestSource(word: string): boolean {
  const isSource = /\.(?:c|cc|cpp|cxx|m|mm|cu|f90|swift)["']?$|\$\{\w+\}/i.test(word);
  return isSource && /(?:^|[/_.{-])(?:\w*tests?|specs?|checks?)(?:[/_.}*-]|$)/i.test(word);
}

function add(found: Map<string, string>, section: string, text: string): void {
  found.set(section, `${found.get(section) ?? ''}${text}\n`);
}
