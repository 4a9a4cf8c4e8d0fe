import { OperatorError } from '#ports/operator-error.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { handControl } from '#surfaces/cli/hand-control.ts';
import { pickMatter } from '#surfaces/cli/pick-matter.ts';
import { pickRun } from '#surfaces/cli/pick-run.ts';
import { refuseFinished } from '#surfaces/cli/refuse-finished.ts';
import { openHere } from '#surfaces/cli/site.ts';

export interface AnswerOptions {
  readonly run?: string;
  readonly task?: string;
  readonly question?: string;
  readonly json?: boolean;
}

export async function answerCommand(text: string, options: AnswerOptions): Promise<number> {
  await refuseFromInside('untildone answer');
  if (text.trim() === '')
    throw new OperatorError(
      'no-answer',
      'The answer is empty.',
      'For example: untildone answer "use SQLite"',
    );
  const site = await openHere();
  const known = await pickRun(site, options.run, { command: 'answer "…" --run' });
  await refuseFinished(site, known.run);
  const { taskId, questionId } = pickMatter(known.run, 'question', options);
  return handControl(site, known, {
    control: { kind: 'answer', questionId, text: text.trim() },
    done: `Answered the question of task ${taskId}.`,
    isJson: options.json === true,
  });
}
