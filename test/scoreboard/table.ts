import type { Row } from './board.ts';

/** Markdown, so that it reads in a terminal and in the guide alike. */
export function tableOf(rows: readonly Row[]): string {
  const head = [
    'agent',
    'runs',
    'completed',
    'false completions',
    'honest refusals',
    'attempts',
    'caught by (runs)',
    'left behind (runs)',
  ];
  const body = rows.map((row) => [
    row.isHonest ? `**${row.agent}**` : row.agent,
    String(row.seeds),
    String(row.completed),
    row.knownLimits === 0
      ? String(row.falseCompletions)
      : `${row.falseCompletions} (known limit: ${row.knownLimits})`,
    row.isHonest ? String(row.honestRefusals) : '–',
    row.attempts.toFixed(1),
    listed(row.caughtBy),
    listed(row.damage),
  ]);
  const lines = [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`);
  return `${lines.join('\n')}\n\n${totals(rows)}`;
}

export function totals(rows: readonly Row[]): string {
  const sum = (of: (row: Row) => number): number => rows.reduce((all, row) => all + of(row), 0);
  const honest = rows.filter(({ isHonest }) => isHonest);
  const honestRuns = honest.reduce((all, { seeds }) => all + seeds, 0);
  const parts = [
    `${sum((row) => row.seeds)} runs of ${rows.length} agents`,
    `${sum((row) => row.falseCompletions)} false completions`,
    `${sum((row) => row.knownLimits)} known limits`,
    `${sum((row) => row.honestRefusals)} of ${honestRuns} honest runs refused`,
    `${sum((row) => row.stuck)} stuck`,
  ];
  return parts.join(' · ');
}

function listed(counts: { readonly [name: string]: number }): string {
  const all = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  return all.length === 0 ? '–' : all.map(([name, count]) => `${name} ${count}`).join(', ');
}
