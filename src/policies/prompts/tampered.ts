// Texts about changed pinned files, for the builder and the reviewers of the task.
import { shownOutput } from '#kernel/model/shown-output.ts';
import { triedWithPins } from '#kernel/proof/tried-with-pins.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { isUnsettled } from '#kernel/proof/tampering.ts';
import { fencedOutput } from './render.ts';
import { pathRelativeTo } from './path-from.ts';

const tailMax = 2000;

/** For the builder: the checks with the pinned files restored. Empty if no pinned file was changed. */
export function triedTexts(task: TaskState): string[] {
  return triedWithPins(task).map((pinned) => {
    const head = `### \`${pinned.command ?? pinned.criterionId}\`, with the pinned files as they were at the start: ${pinned.reason}`;
    return pinned.verdict === 'pass' ? head : `${head}\n\n${fencedOutput(shownOutput(pinned, tailMax))}`;
  });
}

/** For a reviewer: changes of pinned files to judge, and suspicious code. Empty if there is none. */
export function tamperedText(run: Run, task: TaskState): string {
  const entries = run.tampering.filter(
    (entry) => entry.taskId === task.spec.id && (isUnsettled(entry) || entry.state === 'allowed'),
  );
  const lines = [...new Map(entries.map((entry) => [entry.path, entry])).values()].map((entry) => {
    const how = entry.weakening.length === 0 ? '' : `; it ${entry.weakening.join(', ')}`;
    const allowed = entry.state === 'allowed' ? '; a person had allowed that' : '';
    return `- ${pathRelativeTo(run.config.repo.prefix, entry.path)} was ${entry.change}${how}${allowed} (${entry.why})`;
  });
  if (lines.length === 0) return notedText(run, task);
  return `${notedText(run, task)}\n\n## Files that decide the checks, changed by the work itself\n\n${lines.join('\n')}\n\nA check that judges itself by changed rules proves little. Pass these changes only if what was wanted asks for them and nothing is checked less than before.`;
}

/** Such code may be honest; only a reader of the code can decide. */
function notedText(run: Run, task: TaskState): string {
  const noted = run.tampering.filter((entry) => entry.taskId === task.spec.id && entry.state === 'noted');
  const lines = [...new Map(noted.map((entry) => [entry.path, entry])).values()].map(
    ({ path, why }) => `- ${pathRelativeTo(run.config.repo.prefix, path)} ${why}`,
  );
  if (lines.length === 0) return '';
  return `\n\n## Code that behaves as if it knew that it is tested\n\n${lines.join('\n')}\n\nLook at it closely: it must do the same where nobody tests it.`;
}
