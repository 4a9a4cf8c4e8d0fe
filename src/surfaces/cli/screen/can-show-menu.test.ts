import { expect, it } from 'vitest';
import { canShowMenu } from './can-show-menu.ts';

const terminal = { isTTY: true };
const pipe = {};

it('A menu is shown only if input and output are a terminal that can be redrawn [A4]', () => {
  const env = { TERM: 'xterm-256color' };
  expect(canShowMenu({ input: terminal, output: terminal, env })).toBe(true);
  expect(canShowMenu({ input: terminal, output: terminal, env: {} })).toBe(true);
  expect(canShowMenu({ input: pipe, output: terminal, env })).toBe(false);
  expect(canShowMenu({ input: terminal, output: pipe, env })).toBe(false);
  expect(canShowMenu({ input: terminal, output: terminal, env: { TERM: 'dumb' } })).toBe(false);
});
