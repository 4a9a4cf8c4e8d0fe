import { expect, test } from 'vitest';
import { withoutDesktop } from './desktop-variables.ts';

test('No variable that leads to the desktop of the user or to its keys reaches a sandbox [C10]', () => {
  const ways = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR', 'SSH_AUTH_SOCK'];
  const env = Object.fromEntries([...ways, 'DBUS_SESSION_BUS_ADDRESS', 'PATH'].map((name) => [name, '/x']));
  expect(withoutDesktop(env)).toEqual({ PATH: '/x' });
});
