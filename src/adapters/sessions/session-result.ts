// A session result as it comes from a file or a pipe: looked at before it is believed.
import type { SessionEnding } from '#kernel/ending.ts';
import type { Signal } from '#kernel/signal.ts';
import { resumeIdLengthMax } from '#kernel/step.ts';
import { hasAction } from './action-signal.ts';
import type { SessionResult } from '#kernel/step.ts';

type Fields = { readonly [key: string]: unknown };

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
  if (!isFields(value) || value['kind'] !== 'session') return null;
  const { ending, signal, usage, endTree, log, ran, resumeId } = value;
  const isWhole =
    isTagged(ending, endings) &&
    (signal === null || (isTagged(signal, signals) && hasVerdict(signal) && hasAction(signal))) &&
    parseUsage(usage) !== null &&
    (endTree === null || (typeof endTree === 'string' && /^[0-9a-f]{40,64}$/.test(endTree))) &&
    typeof log === 'string' &&
    isFields(ran) &&
    typeof ran['driver'] === 'string' &&
    (resumeId === undefined || isResumeId(resumeId));
  return isWhole ? (value as unknown as SessionResult) : null;
}

function isResumeId(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= resumeIdLengthMax;
}

export function parseUsage(value: unknown): SessionResult['usage'] | null {
  if (!isFields(value)) return null;
  const { usd, tokens } = value;
  return isAmount(usd) && isAmount(tokens) ? { usd, tokens } : null;
}

function isTagged(value: unknown, kinds: { readonly [kind: string]: readonly string[] }): boolean {
  if (!isFields(value) || typeof value['kind'] !== 'string') return false;
  const fields = Object.hasOwn(kinds, value['kind']) ? kinds[value['kind']] : undefined;
  return fields !== undefined && fields.every((field) => typeof value[field] === 'string');
}

function hasVerdict(signal: unknown): boolean {
  if (!isFields(signal) || signal['kind'] !== 'verdict') return true;
  const { verdict } = signal;
  if (!isFields(verdict) || !Array.isArray(verdict['blockers'])) return false;
  const { confidence, text } = verdict;
  return (
    ['pass', 'fail', 'warn'].includes(String(verdict['verdict'])) &&
    (confidence === null || typeof confidence === 'number') &&
    typeof text === 'string' &&
    verdict['blockers'].every(isBlocker)
  );
}

function isBlocker(value: unknown): boolean {
  if (!isFields(value)) return false;
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

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
