// What in a changed file reaches beyond it and decides about tests that are not its own. Only what no honest work does. Pure.

const inNewTest =
  /\bfunc TestMain\s*\(|\bdef pytest_(?:collection|runtest|ignore|configure|sessionfinish|pyfunc|report|cmdline)\w*\s*\(|(?:^|[;:])\s*(?:os\._exit|pytest\.exit)\s*\(|(?:^|[;:])\s*sys\.exit\s*\(\s*0?\s*\)|^\s*(?:process\.exit|Deno\.exit)\s*\(\s*0?\s*\)/m;

/** A new test that hooks into the runner, or ends the whole process. */
export function decidesOthers(text: string): boolean {
  return inNewTest.test(text);
}

const asserts =
  '(?:equal|notEqual|strictEqual|notStrictEqual|deepEqual|deepStrictEqual|ok|throws|rejects|match|fail)';
const nodeAssert = new RegExp(
  String.raw`\bassert(?:\.strict)?(?:\.${asserts}|\[\s*['"]${asserts}['"]\s*\])\s*=(?![=>])|\b(?:assign|defineProperty)\(\s*assert\b`,
);
const pythonAssert =
  /\bTestCase\.(?:assert|fail|run)\w*\s*=(?!=)|\bsetattr\(\s*(?:unittest\.)?TestCase\b|\bsys\.modules\[\s*["'](?:_?pytest|unittest)[\w.]*["']\s*\]\s*=(?!=)|\.__code__\s*=(?!=)|["']__code__["']\s*,/;

const endOfNode = /^(?:import [^;\n]*;\s*)*process\.(?:exit|reallyExit)\s*\(\s*0?\s*\)/m;
const endOfPython =
  /^(?:import [^;\n]*;\s*)*(?:os\._exit\s*\(\s*0|(?:sys\.)?exit\s*\(\s*0?\s*\))[\s\S]*\n(?:def|class|async def) /m;

/** Why a file of the work makes tests pass that it only had to satisfy; null for everything else. */
export function harmsTests(path: string, text: string): string | null {
  if (/\.(?:[cm]?[jt]s|[jt]sx)$/.test(path)) {
    if (/['"](?:node:)?assert(?:\/strict)?['"]/.test(text) && nodeAssert.test(text)) return replaces;
    const isModule = /^\s*export\b|;\s*export\b|\bmodule\.exports\b|\bexports\.\w+\s*=/m.test(text);
    return isModule && endOfNode.test(text) ? ends : null;
  }
  if (!path.endsWith('.py')) return null;
  if (pythonAssert.test(text)) return replaces;
  return endOfPython.test(text) ? ends : null;
}

const replaces = 'puts something else in the place of what tests assert with';
const ends = 'ends whatever program loads it, tests too, and calls that a success';
