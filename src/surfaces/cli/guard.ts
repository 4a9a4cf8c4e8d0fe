// Refuses commands of an agent about its own run: from its own process, or from one that it started.
import { OperatorError } from '#base/operator-error.ts';

/** Contract: throws if a run, or the session a run waits for, started this process or a visible ancestor. */
export async function refuseFromInside(
  what: string,
  hint = 'Use another terminal that was not started by a run.',
): Promise<void> {
  const { hasOwnRunMarker, markAbove, sessionsAbove } = await import('#app/controls/inside.ts');
  const mark = markAbove(process.env);
  if (mark !== null) throw inside(what, `the run ${mark.split('/')[0] ?? ''}`, hint);
  if (hasOwnRunMarker()) throw inside(what, 'a run (it hides its origin)', hint);
  const { ids } = sessionsAbove(process.env);
  if (ids.length === 0) return;
  const { openLinks } = await import('#app/attached.ts');
  const links = openLinks(process.env);
  const link = ids.map((id) => links.read(id)).find((one) => one !== null);
  if (link !== undefined && link !== null)
    throw inside(
      what,
      `the run ${link.runId}`,
      'Type /untildone:release in the session yourself, or use another terminal.',
    );
}

function inside(what: string, whom: string, hint: string): OperatorError {
  return new OperatorError(
    'inside-a-run',
    `\`${what}\` is refused: this process was started by ${whom}, and an agent may not control its own run.`,
    hint,
  );
}
