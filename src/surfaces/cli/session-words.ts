// What the agent said in the last session of a run, for the menu.
import type { Site } from '#compose/site.ts';
import type { Run } from '#kernel/run.ts';
import { sessionName } from '#kernel/session-name.ts';
import { createLogReader, readableLine } from './log-files.ts';

/** As much as one screen or two. */
const linesShown = 40;

export async function lastWordsOf(site: Site, run: Run): Promise<string> {
  const last = run.sessions.at(-1);
  if (last === undefined) return 'No session has ended yet.';
  const { runFiles } = await import('#compose/site.ts');
  const reader = createLogReader(runFiles(site, run.id).logsDir, sessionName(last));
  const lines: string[] = [];
  await reader.readNew(({ text }) => {
    const line = readableLine(text);
    if (line !== null) lines.push(...line.split('\n'));
    if (lines.length > linesShown * 2) lines.splice(0, lines.length - linesShown);
  });
  return lines.slice(-linesShown).join('\n');
}
