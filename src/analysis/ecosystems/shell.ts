// Facts about shell scripts and bats.
import type { Ecosystem } from './ecosystem.ts';

export const shell: Ecosystem = {
  name: 'shell',
  setup: { why: 'a script declares no dependencies' },
  pins: { settings: [/^\.?shellcheckrc$/] },
  tests: {
    files: [/\.bats$|_test\.sh$|(^|\/)test_[^/]+\.sh$/],
    texts: [{ files: /\.(?:sh|bash)$/, library: /^@test\s/m, defines: /^@test\s/m }],
    selecting: { programs: ['bats'] },
  },
  gates: { why: 'no file says how its tests are started' },
  machine: { why: 'a plain shell reads no settings; those of a login shell are asked for by the command' },
  programs: {
    checking: 'bash sh',
    started: 'sh bash dash zsh env',
    quoted: 'bash sh',
    common: 'bash sh bats',
    rare: 'zsh fish ksh dash pwsh',
    testers: 'bats',
  },
};
