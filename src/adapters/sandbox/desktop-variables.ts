// Removes variables that give a program access to the user's desktop: screen, keys and messages.
type Variables = { readonly [name: string]: string };

const desktopVariables: ReadonlySet<string> = new Set(
  'DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR SSH_AUTH_SOCK'.split(' '),
);

export function withoutDesktop(env: Variables): Variables {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !desktopVariables.has(name)));
}
