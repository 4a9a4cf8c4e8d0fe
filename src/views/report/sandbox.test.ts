import { expect, it } from 'vitest';
import type { SandboxConfig } from '#kernel/model/config.ts';
import { unprotectedLines, sandboxNote } from './sandbox.ts';

const shut: SandboxConfig = {
  kind: 'bubblewrap',
  isRequired: true,
  why: '',
  allowRead: [],
  denyRead: [],
  allowWrite: [],
  allowHosts: [],
};

it('The sandbox note says exactly what is allowed [C10]', () => {
  expect(sandboxNote({ sandbox: shut })).toBe(
    'by bubblewrap: agents and checks write only in the workspace, and reach the model and the package registries',
  );
});

it('The sandbox note names every permission that a person added [C10]', () => {
  const sandbox = { ...shut, allowWrite: ['~', '/srv/cache'], allowHosts: ['localhost:5432'] };
  expect(sandboxNote({ sandbox })).toBe(
    'by bubblewrap: agents and checks write in the workspace, ~ and /srv/cache (sandbox.allowWrite), and reach the model, the package registries and localhost:5432 (sandbox.allowHosts)',
  );
  expect(unprotectedLines({ sandbox })).toEqual([]);
  expect(unprotectedLines({ sandbox: { ...sandbox, outside: ['mine'] } })[0]).toMatch(/^Unprotected: /);
});

it('The sandbox note names additional readable paths, and keeps long lists short [C10]', () => {
  const allowWrite = Array.from({ length: 7 }, (_, index) => `/srv/${index}`);
  const note = sandboxNote({ sandbox: { ...shut, allowRead: ['~/.ssh'], allowWrite } });
  expect(note).toContain(
    'write in the workspace, /srv/0, /srv/1, /srv/2, /srv/3 and 3 more (sandbox.allowWrite), ',
  );
  expect(note).toContain('read ~/.ssh (sandbox.allowRead), ');
});
