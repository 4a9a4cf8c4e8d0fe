// Parses the text after /untildone:choose: the action, and the text for the agent.
import { type ActionName, actionNames, isAgentAction } from '#kernel/actions/action.ts';
import { OperatorError } from '#base/operator-error.ts';
import { choices } from '#views/questions/attention-items.ts';
import { splitWords } from './split-words.ts';

export interface TypedChoice {
  /** Null: the person only wants to see the choices. */
  readonly action: ActionName | null;
  readonly text: string;
  /** Id of a run, or its beginning. */
  readonly run: string | null;
}

/** The first word is the action; `--run ID` names the run; everything else is text for the agent. */
export function readChoice(line: string): TypedChoice {
  const words = splitWords(line);
  const rest: string[] = [];
  let run: string | null = null;
  for (let at = 0; at < words.length; at += 1) {
    const { text = '', isQuoted } = words[at] ?? { isQuoted: true };
    if (isQuoted || text !== '--run') {
      rest.push(text);
      continue;
    }
    at += 1;
    run = words[at]?.text ?? null;
    if (run === null) throw wrong('--run needs the id of a run.');
  }
  const [name, ...more] = rest;
  if (name === undefined) return { action: null, text: '', run };
  const action = actionOf(name);
  const text = more.join(' ').trim();
  if (text !== '' && !isAgentAction(action))
    throw wrong(`${action} starts no turn of the agent, so no text reaches it.`);
  return { action, text, run };
}

function actionOf(name: string): ActionName {
  const found = actionNames.find((one) => one === name.toUpperCase());
  if (found !== undefined && found !== 'INIT') return found;
  throw wrong(`There is no action "${name}" to choose.`);
}

function wrong(message: string): OperatorError {
  const names = choices.map((one) => one.name).join(', ');
  return new OperatorError(
    'usage',
    message,
    `The actions are ${names}. For example: /untildone:choose develop begin with the parser`,
  );
}
