// Perl: Test::More and prove.
import { testMore } from '#analysis/test-runners/perl.ts';
import type { Ecosystem } from './ecosystem.ts';

export const perl: Ecosystem = {
  name: 'Perl',
  setup: { unread: [/^cpanfile$/] },
  pins: { ownSettings: [[/\bprove\b/, ['.proverc']]] },
  tests: { runners: [testMore] },
  gates: { why: 'no file says how its tests are started' },
  machine: {
    steering: [{ below: 'home', folder: '', names: '.proverc' }],
  },
  programs: {
    checking: 'perl',
    common: 'prove',
    rare: 'perl',
  },
};
