// Writes an action report as text, as an agent would: the action reader reads it as the same report.
import type { ActionReport } from '#kernel/actions/action.ts';
import { fieldOf, headerOf } from '#policies/signals/field-line.ts';
import { fileIn } from '#policies/signals/field-text.ts';
import { isFenceLine } from '#policies/signals/marker-reader.ts';

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
