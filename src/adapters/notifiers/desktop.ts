// Shows desktop notifications: `notify-send` on Linux, `osascript` on macOS (not tested yet).
import type { Notification } from '#kernel/model/notification.ts';
import type { Notifier } from '#ports/notifier.ts';
import { oneLine, plain, escaped } from './plain.ts';
import { type ProgramPlace, runProgram } from './program.ts';

const titleMax = 120;

export function createDesktopNotifier(place: ProgramPlace, platform: NodeJS.Platform): Notifier {
  if (platform === 'win32')
    return {
      name: 'desktop',
      send: async () => ({
        kind: 'failed',
        problem: 'desktop notifications are not supported on Windows; use a command',
        mayRetry: false,
      }),
    };
  const isMac = platform === 'darwin';
  return {
    name: isMac ? 'desktop (osascript, untested)' : 'desktop (notify-send)',
    send: (notification, signal) =>
      runProgram(
        place,
        { command: isMac ? osascript(notification) : notifySend(notification), input: null },
        signal,
      ),
  };
}

const urgent: ReadonlySet<string> = new Set(['needs-input', 'security-stop', 'blocked']);

/** Escaped, because many desktops read the text as markup. */
function notifySend({ kind, title, text }: Notification): [string, ...string[]] {
  return [
    'notify-send',
    '--app-name=untildone',
    `--urgency=${urgent.has(kind) ? 'critical' : 'normal'}`,
    '--',
    oneLine(`Untildone: ${title}`, titleMax),
    escaped(plain(text)),
  ];
}

/** Texts are arguments, never a part of the script. */
function osascript({ title, text }: Notification): [string, ...string[]] {
  const script = [
    'on run argv',
    'display notification (item 2 of argv) with title (item 1 of argv)',
    'end run',
  ];
  return [
    'osascript',
    ...script.flatMap((line) => ['-e', line]),
    oneLine(`Untildone: ${title}`, titleMax),
    plain(text),
  ];
}
