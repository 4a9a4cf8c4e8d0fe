// The signals of the action loop as they come from a file or a pipe: looked at before they are believed.
import { actionNames, actionStatuses, actionWishes } from '#kernel/model/action.ts';
import { plainUpdates } from '#kernel/model/action-state.ts';

/** True for every other kind of signal. */
export function hasAction(signal: unknown): boolean {
  if (!isFields(signal)) return true;
  if (signal['kind'] === 'action') return isActionReport(signal['report']);
  return signal['kind'] !== 'action-unreadable' || isTexts(signal['problems']);
}

function isActionReport(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { action, status, message, stateUpdates, filesUpdated, menuOptions, next } = value;
  return (
    isOneOf(action, [...actionNames, 'MENU']) &&
    isOneOf(status, actionStatuses) &&
    isOneOf(next, actionWishes) &&
    typeof message === 'string' &&
    typeof menuOptions === 'string' &&
    isTexts(filesUpdated) &&
    plainUpdates(stateUpdates).kind === 'value'
  );
}

function isFields(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}

function isOneOf(value: unknown, words: readonly string[]): boolean {
  return typeof value === 'string' && words.includes(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
