// No sandbox: programs run with the rights of the user. Every use of it is announced to the user.
import type { Sandbox } from '#ports/sandbox.ts';

export const noSandbox: Sandbox = {
  kind: 'none',
  wrap: ({ file, args, env }) => ({ file, args, env, isNamespace: false, release: async () => {} }),
  close: () => {},
};
