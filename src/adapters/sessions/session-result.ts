// Validates a session result from a file or a pipe.
import { isRecord } from '#base/record.ts';
import type { SessionEnding } from '#kernel/model/ending.ts';
import type { Signal } from '#kernel/model/signal.ts';
import { resumeIdLengthMax, type SessionResult } from '#kernel/model/step.ts';
import { actionNames, actionStatuses, actionWishes } from '#kernel/actions/action.ts';
import { plainUpdates } from '#kernel/actions/action-state.ts';

const endings: { readonly [kind in SessionEnding['kind']]: readonly string[] } = {
  finished: [],
  interrupted: ['resumeId'],
  'timed-out': ['limit'],
  'over-limit': ['limit'],
  crashed: ['detail'],
  failed: ['errorClass', 'detail'],
  cancelled: ['reason'],
  'not-started': ['reason'],
};

const signals: { readonly [kind in Signal['kind']]: readonly string[] } = {
  done: [],
  continue: [],
  'needs-input': ['question'],
  failed: ['reason'],
  report: ['text'],
  verdict: [],
  action: [],
  'action-unreadable': ['text'],
};

export function parseSessionResult(value: unknown): SessionResult | null {
  if (!isRecord(value) || value['kind'] !== 'session') return null;
  const { ending, signal, usage, endTree, log, ran, resumeId } = value;
  const isWhole =
    isTagged(ending, endings) &&
    (signal === null || (isTagged(signal, signals) && hasVerdict(signal) && hasAction(signal))) &&
    parseUsage(usage) !== null &&
    (endTree === null || (typeof endTree === 'string' && /^[0-9a-f]{40,64}$/.test(endTree))) &&
    typeof log === 'string' &&
    isRecord(ran) &&
    typeof ran['driver'] === 'string' &&
    (resumeId === undefined || isResumeId(resumeId));
  return isWhole ? (value as unknown as SessionResult) : null;
}

function isResumeId(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= resumeIdLengthMax;
}

export function parseUsage(value: unknown): SessionResult['usage'] | null {
  if (!isRecord(value)) return null;
  const { usd, tokens } = value;
  return isAmount(usd) && isAmount(tokens) ? { usd, tokens } : null;
}

function isTagged(value: unknown, kinds: { readonly [kind: string]: readonly string[] }): boolean {
  if (!isRecord(value) || typeof value['kind'] !== 'string') return false;
  const fields = Object.hasOwn(kinds, value['kind']) ? kinds[value['kind']] : undefined;
  return fields !== undefined && fields.every((field) => typeof value[field] === 'string');
}

function hasVerdict(signal: unknown): boolean {
  if (!isRecord(signal) || signal['kind'] !== 'verdict') return true;
  const { verdict } = signal;
  if (!isRecord(verdict) || !Array.isArray(verdict['blockers'])) return false;
  const { confidence, text } = verdict;
  return (
    ['pass', 'fail', 'warn'].includes(String(verdict['verdict'])) &&
    (confidence === null || typeof confidence === 'number') &&
    typeof text === 'string' &&
    verdict['blockers'].every(isBlocker)
  );
}

function isBlocker(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { what, severity, command, isSecurity } = value;
  return (
    typeof what === 'string' &&
    typeof severity === 'string' &&
    (command === null || typeof command === 'string') &&
    typeof isSecurity === 'boolean'
  );
}

function isAmount(value: unknown): value is number | null {
  return value === null || (typeof value === 'number' && value >= 0);
}

/** True for every other kind of signal. */
function hasAction(signal: unknown): boolean {
  if (!isRecord(signal)) return true;
  if (signal['kind'] === 'action') return isActionReport(signal['report']);
  return signal['kind'] !== 'action-unreadable' || isTexts(signal['problems']);
}

function isActionReport(value: unknown): boolean {
  if (!isRecord(value)) return false;
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

function isOneOf(value: unknown, words: readonly string[]): boolean {
  return typeof value === 'string' && words.includes(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
