import { expect, it } from 'vitest';
import { plistText, programIn, unitText } from './unit-text.ts';

const strange = { node: '/opt/a b/100%/no$de', cli: '/home/"q"/back\\slash/untildone.js', env: {} };

it('The programs of a unit are read back as they were written, whatever their paths hold [U3]', () => {
  const text = unitText(strange);
  expect(programIn(text)).toEqual({ node: strange.node, cli: strange.cli });
  expect(text).toContain('"/opt/a b/100%%/no$$de"');
});

it('Stopping a unit ends only the watch, so that woken runs continue', () => {
  expect(unitText(strange)).toContain('\nKillMode=process\n');
});

it('A file that starts another program is not treated as our unit', () => {
  expect(programIn('[Service]\nExecStart=/bin/true\n')).toBeNull();
  expect(programIn('')).toBeNull();
});

it('A launchd agent is labelled as untested', () => {
  expect(plistText({ ...strange, env: { PATH: '/a&b' } })).toContain('<!-- untested -->');
  expect(plistText({ ...strange, env: { PATH: '/a&b' } })).toContain('<string>/a&amp;b</string>');
});
