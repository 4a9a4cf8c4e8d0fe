import { expect, it } from 'vitest';
import { stoppingText } from './stopping-text.ts';

it.each([
  ['a.test.js', "test('a', () => {});\n", "throw new Error('stopped');\n"],
  ['a.test.ts', 'test("a", () => {})\n', 'throw new Error("stopped")\n\nexport {}\n'],
  [
    'test_a.py',
    '#!/usr/bin/env python3\nassert a == "x"\n',
    '#!/usr/bin/env python3\nraise RuntimeError("stopped")\n',
  ],
  ['tests/a', '#!/bin/sh\n[ 1 = 1 ]\n', '#!/bin/sh\nexit 1\n'],
  [
    'tests/a.rs',
    '#![allow(dead_code)]\n\nuse calc::add;\n',
    '#![allow(dead_code)]\n\n#[test]\nfn stopped() {\n    assert_eq!("stopped", "green");\n}\n',
  ],
])('A failing text for %s only fails, in the style of the file', (path, text, stopping) => {
  expect(stoppingText({ path, text })).toBe(stopping);
});

it('A test file that others import, or whose package is built as a whole, gets no failing text', () => {
  expect(stoppingText({ path: 'a.test.ts', text: 'export const one = 1;\n' })).toBeNull();
  expect(stoppingText({ path: 'a_test.go', text: 'package a\n' })).toBeNull();
  expect(stoppingText({ path: 'tests/common.rs', text: 'pub fn one() {}\n' })).toBeNull();
  expect(stoppingText({ path: 'src/lib.rs', text: 'fn one() {}\n' })).toBeNull();
});
