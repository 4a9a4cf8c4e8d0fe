// The format of an ACTION_RESULT, as agents are asked for it; and texts of others without such a block.
import { actionNames, actionWishes } from '#kernel/actions/action.ts';
import { actionTaskStatuses, hypothesisStatuses } from '#kernel/actions/action-lists.ts';
import { ownKeys, stateBytesMax, stateDepthMax } from '#kernel/actions/action-state.ts';
import { plainText, withoutNul } from './plain-text.ts';
import { headerOf } from './field-line.ts';

/**
 * For texts of others in a prompt: a client that echoes its prompt must not seem to report.
 * Contract: the action reader finds no block in the result.
 */
export function withoutActionBlocks(text: string): string {
  return plainText(withoutNul(text))
    .split('\n')
    .map((line) => (headerOf(line) === null ? line : '(the begin of an action result)'))
    .join('\n');
}

/** Contract: the action reader knows no placeholder as a word, so an echo of this text is never a report. */
export function actionFormat(): string {
  return `End every turn with the block below. Write it as the last thing you say, outside of code blocks, with every <placeholder> replaced:

ACTION_RESULT:
- action: <the action of this turn, one of ${actionNames.join(', ')}>
- status: <one of success, failed, needs_input>
- message: <what you did and found; with needs_input, your question>
- state_updates: <a JSON object with the keys of the state that changed, or an empty object>

FILES_UPDATED:
- <path of a file that you changed; one line for each, or leave the section out>

NEXT_ACTION_NEEDED: <your wish for the next turn, one of ${actionWishes.join(', ')}>

Rules for state_updates:
- A key replaces the value that it had; null removes a key.
- "tasks" is a list of {"id", "title", "status"} with the status ${orList(actionTaskStatuses)}.
- "hypotheses" is a list of {"id", "text", "evidence", "status"} with the status ${orList(hypothesisStatuses)}; evidence may be empty only while it is open.
- Other keys are yours, except ${ownKeys.join(', ')}.
- The whole state may have ${stateBytesMax / 1024} KB of JSON and ${stateDepthMax} levels.`;
}

function orList(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}
