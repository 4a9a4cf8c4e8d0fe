// `choose`: the next action of an action loop, from any terminal. The menu does the same.
import type { Site } from '#compose/site.ts';
import { whyNotChosen } from '#kernel/decide/settle-choice.ts';
import type { ActionName } from '#kernel/model/action.ts';
import { actionNames } from '#kernel/model/action.ts';
import { choiceNumber } from '#kernel/model/action-loop.ts';
import type { Control } from '#kernel/control.ts';
import type { Run } from '#kernel/run.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { handControl, handOn } from '#surfaces/cli/hand-control.ts';
import { print, printJsonLine } from '#surfaces/cli/output.ts';
import { pickRun } from '#surfaces/cli/pick-run.ts';
import { refuseFinished } from '#surfaces/cli/refuse-finished.ts';
import { resumeHere } from '#surfaces/cli/resume-run.ts';
import { loadKnown, openHere } from '#surfaces/cli/site.ts';
import type { KnownRun } from '#surfaces/cli/site.ts';
import { loopTask } from '#views/actions/loop-state.ts';
import { choices } from '#views/matters.ts';

export interface ChooseOptions {
  readonly text?: string;
  readonly data?: string;
  readonly run?: string;
  readonly json?: boolean;
}

/** More would crowd out the work; a file can be named in the text. */
const charsMax = 64 * 1024;

export async function chooseCommand(name: string, options: ChooseOptions): Promise<number> {
  await refuseFromInside('untildone choose');
  const action = actionOf(name);
  const words = wordsOf(options);
  const site = await openHere();
  const known = await pickRun(site, options.run, { command: `choose ${name} --run` });
  await refuseFinished(site, known.run);
  const control = choiceControl(known.run, action, { words, isDriven: known.holder !== null });
  const isJson = options.json === true;
  const done = `Chose ${action}.`;
  if (known.holder !== null) return handControl(site, known, { control, done, isJson });
  return goOn(site, known, { control, done, isJson });
}

/** Contract: throws where the run takes no choice now, with the way on. */
export function choiceControl(
  run: Run,
  action: ActionName,
  {
    words,
    isDriven,
  }: {
    readonly words: { readonly text?: string; readonly data?: unknown };
    readonly isDriven: boolean;
  },
): Control {
  const task = loopTask(run);
  const look = `See where the run stands: untildone status ${run.id}`;
  if (task === null)
    throw new OperatorError(
      'wrong-state',
      `The run ${run.id} has the preset ${run.config.preset}, which has no actions to choose from.`,
      look,
    );
  const turn = choiceNumber(task.actions);
  const why = whyNotChosen(run, task, turn);
  // A turn that its driver left is no agent at work.
  const isLeft = !isDriven && (!task.attemptIsOver || task.runningSteps > 0 || !task.actions.isInitialised);
  if (why !== null && isLeft)
    throw new OperatorError(
      'wrong-state',
      `The turn ${task.actions.turn?.action ?? 'INIT'} is not finished, and no process drives the run.`,
      `Go on with: untildone resume ${run.id}`,
    );
  if (why !== null)
    throw new OperatorError('wrong-state', `${sentence(why, task.actions.chosen?.by)}.`, look);
  return { kind: 'choose', taskId: task.spec.id, turn, action, ...words };
}

/** A name keeps its letters. */
function sentence(why: string, name: string | undefined): string {
  return name !== undefined && why.startsWith(name) ? why : `${why[0]?.toUpperCase() ?? ''}${why.slice(1)}`;
}

/** No driver runs: this process drives the run from here. */
async function goOn(
  site: Site,
  known: KnownRun,
  { control, done, isJson }: { readonly control: Control; readonly done: string; readonly isJson: boolean },
): Promise<number> {
  const { runId, controlId } = await handOn(site, known, control);
  if (isJson) printJsonLine({ type: 'control', runId, controlId, control: control.kind });
  else print(done);
  return resumeHere(site, await loadKnown(site, runId), { isJson, budget: [], isTakenUp: true });
}

export function actionOf(name: string): ActionName {
  const found = actionNames.find((one) => one === name.toUpperCase());
  if (found !== undefined && found !== 'INIT') return found;
  throw new OperatorError(
    'bad-flag',
    `There is no action "${name}" to choose.`,
    `The actions are ${choices.map((one) => one.name).join(', ')}.`,
  );
}

function wordsOf({ text, data }: ChooseOptions): { text?: string; data?: unknown } {
  for (const [flag, value] of Object.entries({ '--text': text, '--data': data }))
    if ((value?.length ?? 0) > charsMax)
      throw new OperatorError(
        'bad-flag',
        `${flag} has ${value?.length ?? 0} characters; at most ${charsMax} are taken.`,
        'Put the rest into a file of the repository, and name the file.',
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
