// Scripts of a shell, and bats.
import { bats } from '#analysis/test-runners/bats.ts';
import { shellScript } from '#analysis/test-runners/scripts.ts';
import type { Ecosystem } from './ecosystem.ts';

export const shell: Ecosystem = {
  name: 'shell',
  setup: { why: 'a script declares no dependencies' },
  pins: { settings: [/^\.?shellcheckrc$/] },
  tests: { runners: [bats, shellScript] },
  gates: { why: 'no file says how its tests are started' },
  machine: { why: 'a plain shell reads no settings; those of a login shell are asked for by the command' },
  programs: {
    checking: 'bash sh',
    started: 'sh bash dash zsh env',
    quoted: 'bash sh',
    common: 'bash sh bats',
    rare: 'zsh fish ksh dash pwsh',
  },
};
