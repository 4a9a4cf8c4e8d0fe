import { expect, it } from 'vitest';
import { negateNestedInPython } from './negate-nested.ts';

function nested(...lines: readonly string[]): readonly (readonly string[])[] | null {
  const text = ['def test_a(self):', ...lines.map((line) => `    ${line}`), ''].join('\n');
  const negated = negateNestedInPython({ path: 'test_a.py', text }, null);
  if (negated.kind === 'none') return null;
  return [negated.text, negated.without].map((whole) =>
    whole
      .split('\n')
      .slice(1, -1)
      .map((line) => line.slice(4)),
  );
}

const noop = '(lambda *_, **__: None)';

it.each([
  ['assert n == 1', 'assert not (n == 1)', `${noop}(n == 1)`],
  ['assert n == 1, "x"  # y', 'assert not (n == 1), "x"  # y', `${noop}(n == 1, "x")  # y`],
  ['self.assertEqual(n, 1)', 'self.assertNotEqual(n, 1)', `${noop}(n, 1)`],
])('The line %s in a loop or block becomes %s, or is left out', (line, negated, without) => {
  for (const before of ['for n in f():', 'with f() as n:', 'async for n in f():', 'while n := f():'])
    expect(nested(before, `    ${line}`)).toEqual([
      [before, `    ${negated}`],
      [before, `    ${without}`],
    ]);
  const inLoop = 'for n in f():';
  expect(nested(`${inLoop} ${line}`)).toEqual([[`${inLoop} ${negated}`], [`${inLoop} ${without}`]]);
});

it.each([
  ['a branch', ['for n in f():', '    if n:', '        assert n == 1']],
  ['an except block', ['try:', '    f()', 'except E as e:', '    assert e == 1']],
  ['a try block', ['try:', '    for n in f():', '        assert n == 1', 'finally:', '    g()']],
  ['an else block', ['for n in f():', '    g()', 'else:', '    assert n == 1']],
  ['a function', ['def g(n):', '    assert n == 1', 'f(g)']],
  ['a block that expects an error', ['with pytest.raises(E):', '    assert f() == 1']],
  ['an assertion beside it', ['for n in f():', '    assert n == 1', 'assert g(', '    1', ')']],
  ['a line that is never reached', ['for n in f():', '    assert False, n']],
  ['a line that leaves the loop', ['for n in f():', '    if n: break', '    assert n == 1']],
])('An assertion in a test with %s is not negated', (_title, lines) => {
  expect(nested(...lines)).toBeNull();
});
