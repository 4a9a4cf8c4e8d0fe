// Facts about Perl: Test::More and prove.
import type { Ecosystem } from './ecosystem.ts';

export const perl: Ecosystem = {
  name: 'Perl',
  setup: { unread: [/^cpanfile$/] },
  pins: { ownSettings: [[/\bprove\b/, ['.proverc']]] },
  tests: {
    files: [/\.t$/],
    texts: [
      {
        files: /\.pl$/,
        library: /^[ \t]*use\s+(?:Test::(?:More|Simple|Most|Class|Spec|Exception|Deep)|Test2::)/m,
        defines: /^[ \t]*(?:ok|is|isnt|like|is_deeply|cmp_ok|subtest|done_testing|plan)\b/m,
      },
    ],
    plainTexts: [[/\.pm$/, /^\s*use Test::/m]],
  },
  gates: { why: 'no file says how its tests are started' },
  machine: {
    steering: [{ below: 'home', folder: '', names: '.proverc' }],
  },
  programs: {
    checking: 'perl',
    common: 'prove',
    rare: 'perl',
    testers: 'prove',
  },
};
