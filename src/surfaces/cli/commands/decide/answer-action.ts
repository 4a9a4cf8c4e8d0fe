import { OperatorError } from '#base/operator-error.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { handControl } from '#surfaces/cli/hand-control.ts';
import { pickMatter } from '#surfaces/cli/pick/pick-matter.ts';
import { pickUnfinished } from '#surfaces/cli/pick/pick-unfinished.ts';

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
  const { site, known } = await pickUnfinished(options.run, { command: 'answer "…" --run' });
  const { taskId, questionId } = pickMatter(known.run, 'question', options);
  return handControl(site, known, {
    control: { kind: 'answer', questionId, text: text.trim() },
    done: `Answered the question of task ${taskId}.`,
    isJson: options.json === true,
  });
}
