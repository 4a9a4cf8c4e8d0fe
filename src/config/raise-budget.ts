// More budget for a run that is there already.
import type { BudgetLimits } from '#kernel/model/budget.ts';
import { parseBudget } from './flags.ts';

/** What `--budget` asks for, in the kernel's own words; null when it asks for nothing. */
export function raise(given: readonly string[]): Partial<BudgetLimits> | null {
  const { attempts, hours, ...same } = Object.fromEntries(parseBudget(given)) as {
    [name: string]: number | undefined;
  };
  const more: { [name: string]: number | undefined } = { ...same };
  if (attempts !== undefined) more['attemptsPerTask'] = attempts;
  if (hours !== undefined) more['activeMs'] = Math.round(hours * 3_600_000);
  return Object.keys(more).length === 0 ? null : more;
}
