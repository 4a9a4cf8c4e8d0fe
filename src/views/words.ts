// Formats amounts and times for people. Times are UTC.
import { clipped } from '#base/bounded-text.ts';
import type { BudgetLimits, Ledger } from '#kernel/model/budget.ts';
import type { Payer, PolicyConfig, RunConfig } from '#kernel/model/config.ts';
import { attemptsWithLoops } from '#kernel/fold/loop.ts';
import type { Run } from '#kernel/fold/run.ts';
import { isResting } from '#kernel/waiting/pass-time.ts';

const ownLogin = "the agent's own login";

/** `45s`, `15m`, `2h 05m`. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, '0')}m`;
}

export function utc(at: number): string {
  return new Date(at).toISOString();
}

/** `2026-11-15 22:04 UTC` */
export function utcMinute(at: number): string {
  return `${utc(at).slice(0, 16).replace('T', ' ')} UTC`;
}

export function count(number: number, noun: string, nouns = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : nouns}`;
}

export function tokens(amount: number): string {
  if (amount >= 1_000_000) return `${trimmed(amount / 1_000_000)}M`;
  if (amount >= 1000) return `${trimmed(amount / 1000)}k`;
  return String(Math.round(amount));
}

export function usd(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

/** The part of a ledger about spending, of one run or of several. */
type Spending = Pick<Ledger, 'lost' | 'usdIsComplete'> & {
  readonly spent: Readonly<Ledger['spent']>;
  /** Sessions whose end, and so whose cost, is not known yet. */
  readonly reserved?: Pick<Ledger['reserved'], 'sessions'>;
};

/** Unknown cost is called unknown; it is never shown as zero. */
export function cost(ledger: Spending): string {
  const { spent, lost, usdIsComplete, reserved } = ledger;
  const reported = spent.usd - lost.usd;
  const isOpen = (reserved?.sessions ?? 0) > 0;
  if (usdIsComplete && !isOpen && (reported >= 0.005 || lost.sessions === 0)) return usd(reported);
  if (reported >= 0.005) return `at least ${usd(reported)}`;
  if (!usdIsComplete) return 'cost unknown (the agent does not report it)';
  return isOpen ? 'cost unknown so far' : 'cost unknown';
}

/** Cost that counts against the budget although no agent reported it. */
function lostWords({ lost }: Spending): string {
  if (lost.sessions === 0) return '';
  const which = `${count(lost.sessions, 'session')} that ${lost.sessions === 1 ? 'was' : 'were'} cut off`;
  return `, and ${usd(lost.usd)} and ${tokens(lost.tokens)} tokens reserved for ${which}`;
}

function usedWords({ spent, lost }: Spending): string {
  const reported = spent.tokens - lost.tokens;
  return reported > 0 ? `, ${tokens(reported)} tokens` : '';
}

/** `$0.50, 24k tokens`: the text after "Cost:". */
export function costLine(ledger: Spending): string {
  return `${cost(ledger).replace(/^cost /, '')}${usedWords(ledger)}${lostWords(ledger)}`;
}

/** `isCutOff`: the driver died during a session, so its duration is unknown. */
export function spentLine(run: Run, isCutOff = false): string {
  const { ledger } = run;
  const { sessions: open } = ledger.reserved;
  const sessions = count(ledger.spent.sessions + open, 'session');
  const which = open === 0 ? '' : ` (${open} ${isCutOff ? 'cut off' : 'under way'})`;
  const money = `${cost(ledger)}${ledger.spent.usd >= 0.005 ? listPriceRemark(run.config) : ''}`;
  return `${sessions}${which}, ${money}${usedWords(ledger)}, ${workTime(run, isCutOff)} of work${lostWords(ledger)}`;
}

export function workTime({ activeMs }: Run, isCutOff: boolean): string {
  return `${isCutOff ? 'at least ' : ''}${elapsed(activeMs)}`;
}

/** The run with the time since its last fact added, unless it is paused or waits. */
export function withPresentTime(run: Run, now: number): Run {
  const isAtWork = run.isDriven && run.paused === null && !isResting(run);
  const passed = isAtWork ? Math.max(0, now - run.now) : 0;
  return { ...run, activeMs: run.activeMs + passed };
}

/** If the payer is unknown, says what the agent is reached through. */
export function paidWords(payer: Payer | undefined): string {
  if (payer?.kind === 'nobody') return payerWords(payer);
  return isOwnLogin(payer) ? `paid through ${payerWords(payer)}` : `paid by ${payerWords(payer)}`;
}

function isOwnLogin(payer: Payer | undefined): boolean {
  return payer === undefined || (payer.kind === 'unknown' && payer.name === ownLogin);
}

/** The text after "paid by"; for an agent that costs nothing, the whole text. */
export function payerWords(payer: Payer | undefined): string {
  if (payer === undefined || isOwnLogin(payer)) return `${ownLogin} (unknown)`;
  switch (payer.kind) {
    case 'nobody':
      return `free (${payer.name})`;
    case 'unknown':
      return `unknown: ${payer.name}`;
    case 'key':
      return `the key in ${payer.name}`;
    case 'account':
      return payer.name;
    case 'subscription':
      return `${payer.name}; USD shown are list prices`;
  }
}

/** A subscription has a fixed price; the cost that a client reports is only an equivalent. */
function listPriceRemark(config: RunConfig): string {
  const payers = Object.values(config.agents).map(({ payer }) => payer?.kind);
  if (!payers.includes('subscription')) return '';
  return payers.every((kind) => kind === 'subscription' || kind === 'nobody')
    ? ' at list prices (a subscription pays)'
    : ' at list prices (a subscription pays a part of it)';
}

export function ceiling(
  budget: BudgetLimits,
  policy: Pick<PolicyConfig, 'loops' | 'stuckMax' | 'actions'>,
): string {
  return `${count(budget.sessions, 'session')}, ${usd(budget.usd)} or ${tokens(budget.tokens)} tokens, ${elapsed(budget.activeMs)}, ${triesWords(budget, policy)}`;
}

/** Every limit that can end the attempts at a task. */
function triesWords(
  { attemptsPerTask }: BudgetLimits,
  { loops, stuckMax = 0, actions }: Pick<PolicyConfig, 'loops' | 'stuckMax' | 'actions'>,
): string {
  if (actions !== undefined) return count(attemptsPerTask, 'iteration');
  const attempts = `${count(attemptsPerTask, 'attempt')} a task`;
  if (loops === undefined)
    return stuckMax > 0 && stuckMax < attemptsPerTask
      ? `${attempts}, ${stuckMax} similar failures in a row`
      : attempts;
  const passes = `${count(loops.maxRetries, 'failure')} a criterion, ${loops.maxIterations} passes over them`;
  return attemptsPerTask < attemptsWithLoops ? `${attempts}, ${passes}` : passes;
}

export function budgetLeft(run: Run): string {
  const { spent, reserved } = run.ledger;
  const sessions = Math.max(0, run.budget.sessions - spent.sessions - reserved.sessions);
  const time = Math.max(0, run.budget.activeMs - run.activeMs);
  return `${count(sessions, 'session')}, ${moneyLeft(run)}, ${elapsed(time)}`;
}

/** After a session of unknown cost, and during one, the rest is only an upper bound, or unknown. */
function moneyLeft(run: Run): string {
  const { ledger, budget, config } = run;
  const { spent, reserved, usdIsComplete } = ledger;
  if ((!usdIsComplete || hasSilentSession(run)) && spent.usd < 0.005) return 'USD unknown';
  const left = usd(Math.max(0, budget.usd - spent.usd));
  return `${usdIsComplete && reserved.sessions === 0 ? '' : 'at most '}${left}${listPriceRemark(config) === '' ? '' : ' at list prices'}`;
}

/** A session under way or interrupted, of an agent that never reports its cost. */
function hasSilentSession({ running, config }: Run): boolean {
  return [...running.values()].some(({ deed }) => {
    if (deed.kind !== 'session') return false;
    const { driver, options } = config.agents[deed.agent.name] ?? {};
    return driver === 'command' && (options?.['output'] ?? 'text') === 'text';
  });
}

export function shortened(text: string, max: number): string {
  return clipped(text.replaceAll(/\s+/g, ' ').trim(), max);
}

/** Columns are aligned; `rule` draws a line below the first row. */
export function tableLines(rows: readonly (readonly string[])[], rule = ''): string[] {
  const [head = [], ...rest] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const ruled = rule === '' ? rows : [head, widths.map((width) => rule.repeat(width)), ...rest];
  return ruled.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function trimmed(amount: number): string {
  return amount.toFixed(1).replace(/\.0$/, '');
}
