// Turns the flags of a run into the strongest layer of settings.
import { OperatorError } from '#base/operator-error.ts';
import { parseDuration } from '#base/duration.ts';
import type { BudgetLimits } from '#kernel/model/budget.ts';
import type { Layer } from './layers.ts';
import {
  type FlagRow,
  flagRows,
  type FlagValues,
  type Kind,
  type RunFlags,
  settingTable,
  type SettingValues,
} from './setting-table.ts';
import { didYouMean } from '#base/suggest.ts';

export function flagLayer(flags: RunFlags): Layer {
  const layer: Layer = new Map();
  for (const row of flagRows) {
    const raw = flags[row.name];
    const origin = { kind: 'flag', where: spelled(row, raw) } as const;
    if (row.sets !== undefined && raw === true)
      for (const [path, value] of Object.entries(row.sets)) layer.set(path, { value, origin });
    if (row.key !== undefined && raw !== undefined)
      layer.set(row.key, { value: parse(row.takes, row.long, raw), origin });
  }
  for (const [name, value] of parseBudget(flags.budget ?? []))
    layer.set(`budget.${name}`, { value, origin: { kind: 'flag', where: '--budget' } });
  return layer;
}

/** The flag as the user wrote it. */
function spelled({ long, noHelp, takes }: FlagRow, value: unknown): string {
  if (value === false && noHelp !== undefined) return long.replace('--', '--no-');
  return takes === 'none' ? `${long} none` : long;
}

/** The types of the table guarantee that a row's kind fits its setting. */
function parse(kind: Kind, flag: string, value: unknown): unknown {
  return (parsers[kind] as (given: unknown, flag: string) => unknown)(value, flag);
}

const identity = <Value>(value: Value): Value => value;

const parsers: { readonly [K in Kind]: (given: FlagValues[K], flag: string) => SettingValues[K] } = {
  text: identity,
  texts: identity,
  switch: identity,
  'text or false': identity,
  limits: identity,
  'whole number': wholeNumber,
  duration,
  seconds: duration,
  ids: knownRed,
  mode: modeWish,
  none: verifierWish,
  pay: payWish,
  sandbox: (raw, flag) => sandboxUse(flag, raw, 'bad-flag'),
};

export type BudgetName = (typeof budgetNames)[number];

const budgetNames = [
  'sessions',
  'attempts',
  'hours',
  'usd',
  'tokens',
  'sessionUsd',
  'sessionTokens',
] as const;
const wholeOnly: readonly string[] = ['sessions', 'attempts', 'tokens', 'sessionTokens'];

/** `usd=50,sessions=80`, also repeated; a number alone is US dollars. */
export function parseBudget(value: readonly string[]): Map<BudgetName, number> {
  const budget = new Map<BudgetName, number>();
  for (const part of value.flatMap((text) => text.split(','))) {
    const sides = part.split('=').map((side) => side.trim());
    const [key = '', raw = ''] = /^[\d.]/.test(sides[0] ?? '') ? ['usd', part.trim()] : sides;
    const name = budgetNames.find((one) => one.toLowerCase() === key.toLowerCase());
    if (name === undefined) throw unknownLimit(part, key);
    budget.set(name, amount(part, raw, wholeOnly.includes(name)));
  }
  return budget;
}

/** The limits of `--budget`, in the kernel's names; null if it sets none. */
export function raise(value: readonly string[]): Partial<BudgetLimits> | null {
  const { attempts, hours, ...same } = Object.fromEntries(parseBudget(value)) as {
    [name: string]: number | undefined;
  };
  const more: { [name: string]: number | undefined } = { ...same };
  if (attempts !== undefined) more['attemptsPerTask'] = attempts;
  if (hours !== undefined) more['activeMs'] = Math.round(hours * 3_600_000);
  return Object.keys(more).length === 0 ? null : more;
}

function unknownLimit(part: string, key: string): OperatorError {
  const near = didYouMean(key, budgetNames);
  return new OperatorError(
    'bad-flag',
    `--budget does not know "${part.trim()}".${near === null ? '' : ` ${near}`}`,
    `Give US dollars as a number (--budget 50), or name=number; the names are ${budgetNames.join(', ')}.`,
  );
}

/** `20_000_000`, `1.5`, and `20M` or `500k`. */
function amount(part: string, raw: string, isWhole: boolean): number {
  const found = /^(\d[\d_]*(?:\.\d+)?)([kKmM]?)$/.exec(raw);
  const scale = { k: 1e3, m: 1e6 }[(found?.[2] ?? '').toLowerCase()] ?? 1;
  const value = Number((found?.[1] ?? '').replaceAll('_', '')) * scale;
  if (found !== null && value > 0 && Number.isFinite(value) && (!isWhole || Number.isInteger(value)))
    return value;
  const wanted = isWhole ? 'a whole number from 1 up' : 'a number above 0';
  throw new OperatorError(
    'bad-flag',
    `--budget ${part.trim()}: "${raw}" is not ${wanted}.`,
    'For example: --budget usd=50,sessions=80',
  );
}

function knownRed(value: true | string): 'all' | string[] {
  if (value === true || value === 'all') return 'all';
  return value
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

function payWish(raw: string): 'login' | 'key' {
  if (raw === 'login' || raw === 'key') return raw;
  throw new OperatorError(
    'bad-flag',
    `--pay is "${raw}", which is neither login nor key.`,
    "Use --pay login for the agent's login, --pay key for a key in a variable.",
  );
}

export function modeWish(raw: string): 'auto' | 'interactive' {
  if (raw === 'auto' || raw === 'interactive') return raw;
  throw new OperatorError(
    'bad-flag',
    `--mode is "${raw}", which is neither auto nor interactive.`,
    'Use --mode auto to let the loop choose the next action, --mode interactive to choose it yourself.',
  );
}

function verifierWish(raw: string): false {
  if (raw === 'none') return false;
  throw new OperatorError(
    'bad-flag',
    `--verifier is "${raw}"; the only value is none.`,
    `To name the verifier's agent: --agent verifier=${raw === '' ? 'NAME' : raw}`,
  );
}

const sandboxUses = settingTable.sandbox.choices;

/** From a flag or a variable. */
export function sandboxUse(
  name: string,
  raw: string,
  code: 'bad-flag' | 'bad-environment',
): SettingValues['sandbox'] {
  const known = sandboxUses.find((one) => one === raw);
  if (known !== undefined) return known;
  throw new OperatorError(
    code,
    `${name} is "${raw}", which is not one of ${sandboxUses.join(', ')}.`,
    didYouMean(raw, sandboxUses) ?? `To detect it: ${name}${name.startsWith('--') ? ' ' : '='}auto`,
  );
}

function wholeNumber(raw: string, flag: string): number {
  if (/^\d+$/.test(raw) && Number(raw) >= 1 && Number.isSafeInteger(Number(raw))) return Number(raw);
  throw new OperatorError(
    'bad-flag',
    `${flag} is "${raw}", which is not a whole number from 1 up.`,
    `For example: ${flag} 5`,
  );
}

function duration(raw: string, flag: string): string {
  if (parseDuration(raw) !== null) return raw;
  throw new OperatorError(
    'bad-flag',
    `${flag} is "${raw}", which is not a duration.`,
    `Give seconds or a unit: ${flag} 2, ${flag} 90s, ${flag} 5m`,
  );
}
