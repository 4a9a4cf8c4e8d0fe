import { OperatorError } from '#base/operator-error.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { sendControl } from '#surfaces/cli/send-control.ts';
import { pickAttentionItem } from '#surfaces/cli/pick/pick-attention-item.ts';
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
  const { taskId, questionId } = pickAttentionItem(known.run, 'question', options);
  return sendControl(site, known, {
    control: { kind: 'answer', questionId, text: text.trim() },
    done: `Answered the question of task ${taskId}.`,
    isJson: options.json === true,
  });
}
