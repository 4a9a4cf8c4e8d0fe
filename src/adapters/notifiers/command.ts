// Runs the user's command with the notification as JSON on standard input and its fields in variables.
import type { Notification } from '#kernel/model/notification.ts';
import type { Notifier } from '#ports/notifier.ts';
import { plain } from './plain.ts';
import { type ProgramPlace, runProgram } from './program.ts';

export function createCommandNotifier(place: ProgramPlace, command: string): Notifier {
  return {
    name: 'command',
    send: (notification, signal) =>
      runProgram(
        { ...place, env: { ...place.env, ...variablesOf(notification) } },
        { command, input: `${JSON.stringify(notification)}\n` },
        signal,
      ),
  };
}

/** Passed as variables, never in the command: no shell parses them. */
function variablesOf(notification: Notification): { [name: string]: string } {
  const { id, kind, title, text, run, repository, goal, outcome, task } = notification;
  const fields = { id, kind, title, text, run, repository, goal, outcome: outcome ?? '', task: task ?? '' };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`UNTILDONE_NOTIFY_${name.toUpperCase()}`, plain(value)]),
  );
}
