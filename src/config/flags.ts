// What the command line can say about a run, as the strongest layer.
import { OperatorError } from '#base/operator-error.ts';
import { parseDuration } from '#base/duration.ts';
import type { Layer, SettingPath, SettingTypes } from './layers.ts';
import { put } from './layers.ts';
import { suggest } from '#base/suggest.ts';

export interface RunFlags {
  readonly preset?: string;
  /** `NAME`, `role=NAME[:model]`, `task/role=NAME`, `command:…`, `scripted:…`; read by `agent-wishes.ts`. */
  readonly agent?: readonly string[];
  readonly check?: readonly string[];
  readonly taskFile?: string;
  readonly budget?: readonly string[];
  readonly knownRed?: true | string;
  /** Files outside the repository, each a list of checks; read by `held-out.ts`. */
  readonly heldOut?: readonly string[];
  readonly mayChange?: readonly string[];
  /** False for `--no-setup`. */
  readonly setup?: string | false;
  readonly copy?: readonly string[];
  readonly inPlace?: boolean;
  readonly maxLoops?: string;
  readonly cooldown?: string;
  /** `auto` or `interactive`; these three are for the preset actions. */
  readonly mode?: string;
  readonly maxIterations?: string;
  readonly turnTimeout?: string;
  /** `login` or `key`. */
  readonly pay?: string;
  /** Nobody is asked: plans come into force, dead ends end. */
  readonly yes?: boolean;
  /** `auto`, `bubblewrap`, `srt` or `none`. */
  readonly sandbox?: string;
  readonly allowUnsandboxed?: boolean;
  readonly allowRoot?: boolean;
  /** False for `--no-accept-review`. */
  readonly acceptReview?: boolean;
  /** `none` leaves out the verifier and every other reviewer. */
  readonly verifier?: string;
}

export function flagLayer(flags: RunFlags): Layer {
  const layer: Layer = new Map();
  const take = <Path extends SettingPath>(
    path: Path,
    value: SettingTypes[Path] | undefined,
    where: string,
  ): void => {
    if (value !== undefined) put(layer, path, value, { kind: 'flag', where });
  };
  take('preset', flags.preset, '--preset');
  take('checks', flags.check, '--check');
  take('taskFile', flags.taskFile, '--task-file');
  take('mayChange', flags.mayChange, '--may-change');
  take('setup', flags.setup, flags.setup === false ? '--no-setup' : '--setup');
  take('copy', flags.copy, '--copy');
  take('inPlace', flags.inPlace, '--in-place');
  take(
    'acceptReview',
    flags.acceptReview,
    flags.acceptReview === false ? '--no-accept-review' : '--accept-review',
  );
  if (flags.verifier !== undefined) take('verifier', verifierWish(flags.verifier), '--verifier none');
  take('knownRed', flags.knownRed === undefined ? undefined : knownRed(flags.knownRed), '--known-red');
  if (flags.maxLoops !== undefined)
    take('maxLoops', wholeNumber('--max-loops', flags.maxLoops), '--max-loops');
  if (flags.cooldown !== undefined) take('cooldown', duration('--cooldown', flags.cooldown), '--cooldown');
  if (flags.mode !== undefined) take('actions.mode', modeWish(flags.mode), '--mode');
  if (flags.maxIterations !== undefined)
    take('actions.maxIterations', wholeNumber('--max-iterations', flags.maxIterations), '--max-iterations');
  if (flags.turnTimeout !== undefined)
    take('actions.turnTimeout', duration('--turn-timeout', flags.turnTimeout), '--turn-timeout');
  if (flags.yes === true) {
    take('campaign.approval', 'nobody', '--yes');
    take('campaign.deadEnd', 'end', '--yes');
  }
  if (flags.pay !== undefined) take('pay', payWish(flags.pay), '--pay');
  if (flags.sandbox !== undefined)
    take('sandbox.use', sandboxUse('--sandbox', flags.sandbox, 'bad-flag'), '--sandbox');
  if (flags.allowUnsandboxed === true) take('sandbox.required', false, '--allow-unsandboxed');
  take('allowRoot', flags.allowRoot, '--allow-root');
  for (const [name, value] of parseBudget(flags.budget ?? [])) take(`budget.${name}`, value, '--budget');
  return layer;
}

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

/** `usd=50,sessions=80`, also given more than once; a number alone is US dollars. */
export function parseBudget(given: readonly string[]): Map<BudgetName, number> {
  const budget = new Map<BudgetName, number>();
  for (const part of given.flatMap((text) => text.split(','))) {
    const sides = part.split('=').map((side) => side.trim());
    const [key = '', raw = ''] = /^[\d.]/.test(sides[0] ?? '') ? ['usd', part.trim()] : sides;
    const name = budgetNames.find((one) => one.toLowerCase() === key.toLowerCase());
    if (name === undefined) throw unknownLimit(part, key);
    budget.set(name, amount(part, raw, wholeOnly.includes(name)));
  }
  return budget;
}

function unknownLimit(part: string, key: string): OperatorError {
  const near = suggest(key, budgetNames);
  const instead = near === null ? '' : ` Did you mean "${near}"?`;
  return new OperatorError(
    'bad-flag',
    `--budget does not know "${part.trim()}".${instead}`,
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

function knownRed(given: true | string): 'all' | string[] {
  if (given === true || given === 'all') return 'all';
  return given
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

function payWish(raw: string): 'login' | 'key' {
  if (raw === 'login' || raw === 'key') return raw;
  throw new OperatorError(
    'bad-flag',
    `--pay is "${raw}", which is neither login nor key.`,
    "Say --pay login for the agent's own login, --pay key for a key in a variable.",
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
    `--verifier is "${raw}", and it takes none alone.`,
    `To name the verifier's agent: --agent verifier=${raw === '' ? 'NAME' : raw}`,
  );
}

export const sandboxUses = [
  'auto',
  'bubblewrap',
  'srt',
  'none',
] as const satisfies readonly SettingTypes['sandbox.use'][];

/** Of a flag or a variable. */
export function sandboxUse(
  name: string,
  raw: string,
  code: 'bad-flag' | 'bad-environment',
): SettingTypes['sandbox.use'] {
  const known = sandboxUses.find((one) => one === raw);
  if (known !== undefined) return known;
  const near = suggest(raw, sandboxUses);
  throw new OperatorError(
    code,
    `${name} is "${raw}", which is none of ${sandboxUses.join(', ')}.`,
    near === null
      ? `For what this machine has: ${name}${name.startsWith('--') ? ' ' : '='}auto`
      : `Did you mean "${near}"?`,
  );
}

function wholeNumber(flag: string, raw: string): number {
  if (/^\d+$/.test(raw) && Number(raw) >= 1 && Number.isSafeInteger(Number(raw))) return Number(raw);
  throw new OperatorError(
    'bad-flag',
    `${flag} is "${raw}", which is not a whole number from 1 up.`,
    `For example: ${flag} 5`,
  );
}

function duration(flag: string, raw: string): string {
  if (parseDuration(raw) !== null) return raw;
  throw new OperatorError(
    'bad-flag',
    `${flag} is "${raw}", which is not a duration.`,
    `Give seconds or a unit: ${flag} 2, ${flag} 90s, ${flag} 5m`,
  );
}
