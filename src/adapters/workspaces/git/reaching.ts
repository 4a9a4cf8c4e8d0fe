// What in a file of the work turns against the tests that it only had to satisfy. Only what no honest work does. Pure.
import { isTest } from './pin-rules.ts';

const replaces = 'puts something else in the place of what tests assert with';
const ends = 'ends whatever program loads it, tests too, and calls that a success';
const skips = 'skips the tests that load it';

/** Why a file of the work makes tests pass that it only had to satisfy; null for everything else. */
export function harmsTests(path: string, text: string): string | null {
  const language = languages.find(({ files }) => files.test(path));
  if (language === undefined) return null;
  if (language.replaces(text)) return replaces;
  if (language.ends(text)) return ends;
  return !isTest(path) && language.skips.test(text) ? skips : null;
}

interface Language {
  readonly files: RegExp;
  replaces(text: string): boolean;
  ends(text: string): boolean;
  readonly skips: RegExp;
}

const never = /(?!)/;

const languages: readonly Language[] = [
  { files: /\.(?:[cm]?[jt]s|[jt]sx)$/, replaces: replacesInScript, ends: endsInScript, skips: never },
  {
    files: /\.py$/,
    replaces: (text) => pythonAssert.test(text),
    ends: (text) => endOfPython.test(text) || lateEndOfPython.test(text),
    skips: /\braise\s+(?:unittest\.)?SkipTest\b|\bpytest\.(?:skip|exit|xfail)\s*\(/,
  },
  {
    files: /\.go$/,
    replaces: () => false,
    ends: (text) => /^func init\(\)\s*\{[^}]*\b(?:os\.Exit|syscall\.Exit)\(0\)/m.test(text),
    skips: never,
  },
  {
    files: /\.(?:java|kt)$/,
    replaces: () => false,
    ends: (text) => /\b(?:static|init)\s*\{[^}]*\b(?:System\.exit|halt)\(0\)/.test(text),
    skips: /\bnew\s+TestAbortedException\b|\bAssumptions?\.assume\w+\s*\(/,
  },
];

const asserts =
  '(?:equal|notEqual|strictEqual|notStrictEqual|deepEqual|deepStrictEqual|ok|throws|rejects|match|fail)';
const globals = '(?:expect|assert|describe|suite|test|it)';
const replacedGlobal = new RegExp(
  String.raw`\b(?:globalThis|global)(?:\.${globals}|\[\s*['"]${globals}['"]\s*\])\s*=(?![=>])`,
);
const judges = String.raw`['"](?:(?:node:)?assert(?:\/strict)?|node:test|vitest|@jest\/globals|chai|expect)['"]`;
const judgeNames = new RegExp(
  String.raw`\bimport\s+(?:\*\s*as\s+)?(\w+)[^;'"]*?\bfrom\s*${judges}|\b(?:const|let|var)\s+(\w+)\s*=\s*(?:\(?await\s+import|require)\(\s*${judges}\s*\)`,
  'g',
);
const directly = new RegExp(String.raw`\brequire\(\s*${judges}\s*\)\.\w+\s*=(?![=>])`);

function replacesInScript(text: string): boolean {
  if (replacedGlobal.test(text) || directly.test(text)) return true;
  const names = [...text.matchAll(judgeNames)].flatMap(
    ([, imported, required]) => imported ?? required ?? [],
  );
  return names.some((name) => {
    const member = String.raw`(?:\.strict)?(?:\.${asserts}|\[\s*['"]${asserts}['"]\s*\])`;
    const change = String.raw`\b${name}${member}\s*=(?![=>])|\b(?:assign|defineProperty)\(\s*${name}\b`;
    return new RegExp(change).test(text);
  });
}

const exit = String.raw`process\.(?:exit|reallyExit)\s*\(\s*0?\s*\)`;
const endOfNode = new RegExp(String.raw`^(?:import [^;\n]*;\s*)*${exit}`, 'm');
const lateEndOfNode = new RegExp(
  String.raw`\bprocess\.(?:on|once)\(\s*['"](?:exit|beforeExit)['"][^;]{0,200}?(?:\bprocess\.exitCode\s*=\s*0|${exit})`,
);
// `!` would mean: not where tests run, which is what careful programs do.
const whereTested =
  /\bif\s*\((?![^)]*(?:!\s*process|!==?|undefined))[^;{}]*(?:\b(?:NODE_TEST_CONTEXT|VITEST\w*|JEST_WORKER_ID)\b|\bargv\b[^;{}]*['"`/.](?:test|tests|spec|mocha|jest|vitest)['"`/.])[^;]*$/;

function endsInScript(text: string): boolean {
  if (lateEndOfNode.test(text)) return true;
  const isModule = /^\s*export\b|;\s*export\b|\bmodule\.exports\b|\bexports\.\w+\s*=/m.test(text);
  if (isModule && endOfNode.test(text)) return true;
  return [...text.matchAll(new RegExp(exit, 'g'))].some(({ index }) =>
    whereTested.test(text.slice(Math.max(0, index - 200), index)),
  );
}

const pythonAssert =
  /\b(?:TestCase|TestResult|TextTestResult|TestLoader|TestSuite|TextTestRunner|TestProgram)\.\w+\s*=(?!=)|\bsetattr\(\s*(?:unittest\.)?Test(?:Case|Result|Loader|Suite)\b|\bsys\.modules\[\s*["'](?:_?pytest|unittest)[\w.]*["']\s*\]\s*=(?!=)|\.__code__\s*=(?!=)|["']__code__["']\s*,/;
const endOfPython =
  /^(?:import [^;\n]*;\s*)*(?:os\._exit\s*\(\s*0|(?:sys\.)?exit\s*\(\s*0?\s*\))[\s\S]*\n(?:def|class|async def) /m;
const lateEndOfPython = /\batexit\.register\([^\n]*\b_exit\b/;
