// Writes an ACTION_RESULT: a report as text that reads back as the same report, and the format for agents.
import type { ActionReport } from '#kernel/actions/action.ts';
import { actionNames, actionWishes } from '#kernel/actions/action.ts';
import { actionTaskStatuses, hypothesisStatuses } from '#kernel/actions/action-lists.ts';
import { ownKeys, stateBytesMax, stateDepthMax } from '#kernel/actions/action-state.ts';
import { isFenceLine } from './marker-reader.ts';
import { fileIn } from './field-text.ts';
import { plainText, withoutNul } from './plain-text.ts';
import { fieldOf, headerOf } from './field-line.ts';

/** Contract: for every report that the action reader can return, it reads this text as the same report. */
export function renderActionReport(report: ActionReport): string {
  const { action, status, message, stateUpdates, filesUpdated, menuOptions, next } = report;
  const files = filesUpdated.map((file) => `- ${isPlainFile(file) ? file : jsonText(file)}`);
  const sections = [
    ['ACTION_RESULT:', `- action: ${action}`, `- status: ${status}`, `- message: ${prose(message)}`],
    [`- state_updates: ${jsonText(stateUpdates)}`],
    files.length === 0 ? [] : ['', 'FILES_UPDATED:', ...files],
    menuOptions === '' ? [] : ['', 'MENU_OPTIONS:', prose(menuOptions)],
    ['', `NEXT_ACTION_NEEDED: ${next}`],
  ];
  return sections.flat().join('\n');
}

function isPlainFile(file: string): boolean {
  return /^[\w./@+-]+$/.test(file) && fileIn(file) === file;
}

/** Text that could be mistaken for a field, a fence or decoration is written as a JSON string. */
function prose(text: string): string {
  const isPlain = text.split('\n').every((line) => {
    const isRead = fieldOf(line) === null && headerOf(line) === null && !isFenceLine(line);
    return isRead && /^[\p{L}\p{N}[(](?:.*[^\s*_`])?$/u.test(line);
  });
  return isPlain ? text : jsonText(text);
}

/** Escapes the characters that the reader strips from a text. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    unprinted,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

// Written as a string, because linters reject control characters in literals.
const unprinted = new RegExp(String.raw`[\u007F-\u009F\u2028\u2029\uFEFF]`, 'g');

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
