// An agent may not steer the run that it works for: not from its own process, and not from one that it started.
import { readFile } from 'node:fs/promises';
import { OperatorError } from '#ports/operator-error.ts';

const markName = 'UNTILDONE_MARK';

/** Contract: throws when this process, or one above it that can be seen, was started by a run. */
export async function refuseFromInside(
  what: string,
  hint = 'Use another terminal, one that no run has started.',
): Promise<void> {
  const mark = (process.env[markName] ?? '') || (await markAbove(process.ppid));
  if (mark === '' || mark === null) return;
  throw new OperatorError(
    'inside-a-run',
    `\`${what}\` is refused: this process was started by the run ${mark.split('/')[0] ?? ''}, and an agent may not steer its own run.`,
    hint,
  );
}

/** Only where there is /proc; elsewhere the variable itself is what can be seen. */
async function markAbove(pid: number): Promise<string | null> {
  // The first process counts too: where a run has a pid namespace of its own, orphans end up below that one.
  for (let above = pid; above >= 1;) {
    const environ = await readFile(`/proc/${above}/environ`, 'utf8').catch(() => '');
    const found = environ.split('\0').find((entry) => entry.startsWith(`${markName}=`));
    if (found !== undefined) return found.slice(markName.length + 1);
    above = await parentOf(above);
  }
  return null;
}

async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name stands in brackets and may hold anything; the parent is the second field after it.
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return Number.isInteger(parent) ? parent : 0;
}
