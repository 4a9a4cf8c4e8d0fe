import { describe, expect, it } from 'vitest';
import { weakeningsOf } from './weakening.ts';

describe('weakened tests', () => {
  const js = "it('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n";
  const python = 'def test_add():\n    assert add(1, 2) == 3\n';
  const go = 'func TestAdd(t *testing.T) {\n\tif add(1, 2) != 3 {\n\t\tt.Error("no")\n\t}\n}\n';
  const rust = '#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n';

  it.each([
    [js, js.replace('it(', 'it.skip('), 'skips tests'],
    [js, js.replace('it(', 'xit('), 'skips tests'],
    [js, js.replace("'adds',", "'adds', { skip: true },"), 'skips tests'],
    [js, js.replace('it(', 'it.only('), 'runs only some tests'],
    [js, "it('adds', () => {});\n", 'empties test bodies'],
    [js, "it('adds', () => {});\n", 'has fewer assertions'],
    [js, js.replace('expect(add(1, 2)).toBe(3)', 'expect(true).toBe(true)'), 'asserts what is always so'],
    [js, '// nothing\n', 'has fewer tests'],
    [js, '', 'is emptied'],
    [js, `process.exit(0);\n${js}`, 'ends early or hides a failure'],
    [js, `// eslint-disable\n${js}`, 'switches rules off'],
    [python, `@pytest.mark.skip\n${python}`, 'skips tests'],
    [python, `@pytest.mark.skipif(True)\n${python}`, 'skips tests'],
    [python, 'def test_add():\n    pass\n', 'empties test bodies'],
    [python, 'def test_add():\n    assert True\n', 'asserts what is always so'],
    [go, go.replace('\tif', '\tt.Skip("later")\n\tif'), 'skips tests'],
    [go, 'func TestAdd(t *testing.T) {}\n', 'empties test bodies'],
    [rust, rust.replace('#[test]', '#[test]\n#[ignore]'), 'skips tests'],
    [go, `//go:build never\n\npackage calc\n${go}`, 'skips tests'],
    ['@Test void adds() {}', '@Test @EnabledIf("never") void adds() {}', 'skips tests'],
    [
      'public function testAdd() {',
      'public function testAdd() { $this->markTestIncomplete();',
      'skips tests',
    ],
    ["  it 'adds' do\n", "  it 'adds' do\n    pending 'later'\n", 'skips tests'],
    ['approx(x, rel=1e-6)', 'approx(x, rel=0.5)', 'raises tolerances'],
    ['expect(x).toBeCloseTo(3.14159, 5)', 'expect(x).toBeCloseTo(3.14159, 0)', 'raises tolerances'],
    ['fail_under = 90', 'fail_under = 10', 'lowers thresholds'],
    ['thresholds: { lines: 90 }', 'thresholds: { lines: 20 }', 'lowers thresholds'],
    ['eslint --max-warnings 0', 'eslint --max-warnings 999', 'lowers thresholds'],
    ['pytest', 'pytest || true', 'ends early or hides a failure'],
    ['#!/bin/sh\ngrep x y', '#!/bin/sh\nexit 0', 'ends early or hides a failure'],
    ['rules: { "no-undef": "error" }', 'rules: { "no-undef": "off" }', 'switches rules off'],
  ])('The change %j → %j is reported as: it %s [X8]', (before, after, says) => {
    expect(weakeningsOf(before, after)).toContain(says);
  });

  it.each([
    [js, `${js}\nit('subtracts', () => {\n  expect(subtract(3, 2)).toBe(1);\n});\n`],
    [python, python.replace('1, 2', '2, 1')],
    ['approx(x, rel=0.5)', 'approx(x, rel=1e-6)'],
    ['fail_under = 80', 'fail_under = 90'],
  ])('A change that removes nothing is not reported: %j → %j', (before, after) => {
    expect(weakeningsOf(before, after)).toEqual([]);
  });
});
