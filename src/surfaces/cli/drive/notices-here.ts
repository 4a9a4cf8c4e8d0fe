// Sends the notifications of a run that this process drives.
import type { Notices } from '#app/notify.ts';
import type { Site } from '#app/site.ts';
import type { Display } from '#surfaces/cli/render/lines.ts';
import { printNote } from '#surfaces/cli/output.ts';

/** A failed notification is a line of the display while there is one, and of standard error afterwards. */
export async function noticesHere(
  site: Site,
  runId: string,
  { display, isJson }: { readonly display: Display; readonly isJson: boolean },
): Promise<{ readonly notices: Notices; readonly display: Display }> {
  const { composeNotices } = await import('#app/notify.ts');
  let isOpen = true;
  const notices = await composeNotices(site, runId, {
    // Output for programs has no bell.
    terminal: isJson ? null : terminalBell(),
    onNote: (text) => (isOpen ? display.onNote?.(text) : printNote(`note: ${text}`)),
  });
  const close = (): void => {
    isOpen = false;
    display.close();
  };
  return { notices, display: { ...display, close } };
}

/** Writes to the person's terminal beside the display; null if there is no terminal. */
export function terminalBell(): ((text: string) => void) | null {
  const { stderr, env } = process;
  const isQuiet = !stderr.isTTY || env['TERM'] === 'dumb' || (env['CI'] ?? '') !== '';
  return isQuiet ? null : (text) => void (stderr.writable && stderr.write(text));
}
