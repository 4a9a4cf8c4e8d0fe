// `choose`: the next action of an action loop, from any terminal. The menu does the same.
import { OperatorError } from '#base/operator-error.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { sendControl } from '#surfaces/cli/send-control.ts';
import { pickUnfinished } from '#surfaces/cli/pick/pick-unfinished.ts';
import { actionOf, choiceControl } from '#surfaces/cli/drive/choice-control.ts';
import { sendAndResume } from '#surfaces/cli/drive/resume-run.ts';

export interface ChooseOptions {
  readonly text?: string;
  readonly data?: string;
  readonly run?: string;
  readonly json?: boolean;
}

/** More would crowd out the work; the text can name a file. */
const charsMax = 64 * 1024;

export async function chooseCommand(name: string, options: ChooseOptions): Promise<number> {
  await refuseFromInside('untildone choose');
  const action = actionOf(name);
  const words = wordsOf(options);
  const { site, known } = await pickUnfinished(options.run, { command: `choose ${name} --run` });
  const control = choiceControl(known.run, action, { words, isDriven: known.holder !== null });
  const handed = { control, done: `Chose ${action}.`, isJson: options.json === true };
  return known.holder === null ? sendAndResume(site, known, handed) : sendControl(site, known, handed);
}

function wordsOf({ text, data }: ChooseOptions): { text?: string; data?: unknown } {
  for (const [flag, value] of Object.entries({ '--text': text, '--data': data }))
    if ((value?.length ?? 0) > charsMax)
      throw new OperatorError(
        'bad-flag',
        `${flag} has ${value?.length ?? 0} characters; the limit is ${charsMax}.`,
        'Put the rest into a file of the repository and name that file.',
      );
  return {
    ...(text === undefined || text.trim() === '' ? {} : { text: text.trim() }),
    ...(data === undefined ? {} : { data: parsed(data) }),
  };
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    throw new OperatorError(
      'bad-flag',
      '--data is not valid JSON.',
      'For example: --data \'{"file": "src/cli.js"}\'',
    );
  }
}
