// Who is told of a run that is driven in this process.
import type { Notices } from '#app/notify.ts';
import type { Site } from '#app/site.ts';
import type { Display } from '#surfaces/cli/render/lines.ts';
import { printNote } from '#surfaces/cli/output.ts';

/** What could not be told is a line of the display as long as there is one, and of standard error afterwards. */
export async function noticesHere(
  site: Site,
  runId: string,
  { display, isJson }: { readonly display: Display; readonly isJson: boolean },
): Promise<{ readonly notices: Notices; readonly display: Display }> {
  const { composeNotices } = await import('#app/notify.ts');
  let isOpen = true;
  const notices = await composeNotices(site, runId, {
    // What a program reads has no bell.
    terminal: isJson ? null : terminalBell(),
    onNote: (text) => (isOpen ? display.onNote?.(text) : printNote(`note: ${text}`)),
  });
  const close = (): void => {
    isOpen = false;
    display.close();
  };
  return { notices, display: { ...display, close } };
}

/** Writes to the person's terminal beside everything else that is shown there; null where nobody sits at one. */
export function terminalBell(): ((text: string) => void) | null {
  const { stderr, env } = process;
  const isQuiet = !stderr.isTTY || env['TERM'] === 'dumb' || (env['CI'] ?? '') !== '';
  return isQuiet ? null : (text) => void (stderr.writable && stderr.write(text));
}
