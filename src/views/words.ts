// Amounts and times as people read them. Times are UTC.
import type { BudgetLimits, Ledger } from '#kernel/budget.ts';
import type { Run } from '#kernel/run.ts';

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

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export function tokens(amount: number): string {
  if (amount >= 1_000_000) return `${trimmed(amount / 1_000_000)}M`;
  if (amount >= 1000) return `${trimmed(amount / 1000)}k`;
  return String(Math.round(amount));
}

export function usd(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

/** Unknown cost is said to be unknown; it is never shown as nothing. */
export function cost(ledger: Ledger): string {
  const { spent, usdIsComplete } = ledger;
  if (usdIsComplete) return usd(spent.usd);
  return spent.usd > 0 ? `at least ${usd(spent.usd)}` : 'cost unknown (the agent does not tell)';
}

export function spentLine(run: Run): string {
  const { ledger } = run;
  const used = ledger.spent.tokens > 0 ? `, ${tokens(ledger.spent.tokens)} tokens` : '';
  return `${count(ledger.spent.sessions, 'session')}, ${cost(ledger)}${used}, ${elapsed(run.activeMs)} of work`;
}

export function ceiling(budget: BudgetLimits): string {
  return `${count(budget.sessions, 'session')}, ${usd(budget.usd)} or ${tokens(budget.tokens)} tokens, ${elapsed(budget.activeMs)}, ${count(budget.attemptsPerTask, 'attempt')} a task`;
}

export function budgetLeft(run: Run): string {
  const { spent, reserved } = run.ledger;
  const sessions = Math.max(0, run.budget.sessions - spent.sessions - reserved.sessions);
  const money = Math.max(0, run.budget.usd - spent.usd);
  const time = Math.max(0, run.budget.activeMs - run.activeMs);
  return `${count(sessions, 'session')}, ${usd(money)}, ${elapsed(time)}`;
}

export function shortened(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).trimEnd()}…`;
}

function trimmed(amount: number): string {
  return amount.toFixed(1).replace(/\.0$/, '');
}
