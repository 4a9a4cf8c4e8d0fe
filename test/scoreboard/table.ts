import type { Row } from './board.ts';
import type { Life } from './life.ts';

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

/** One line for each agent: how often it ran, how it ended, and which calibration or rule caught it. */
export function linesOf(rows: readonly Row[]): string {
  return rows
    .filter(({ seeds }) => seeds > 0)
    .map((row) => `${row.agent} (${row.seeds}): ${endOf(row)}`)
    .join('\n');
}

function endOf(row: Row): string {
  const caught = `caught by ${listed(row.caughtBy)}`;
  const wrong = [
    [row.falseCompletions, 'FALSE COMPLETIONS'],
    [row.honestRefusals, 'HONEST RUNS REFUSED'],
    [row.uncaught, 'NOT CAUGHT BY ITS RULE'],
    [row.stuck, 'STUCK'],
    [row.knownLimits, 'known limits'],
  ] as const;
  const said = wrong.flatMap(([count, name]) => (count === 0 ? [] : [`${count} ${name}`]));
  const isNamed = Object.keys(row.caughtBy).length > 0;
  if (said.length > 0) return [...said, ...(isNamed ? [caught] : [])].join(', ');
  if (!row.isHonest) return caught;
  return `${row.completed} completed${isNamed ? `, after ${listed(row.caughtBy)}` : ''}`;
}

/** What the runs took, each by itself: several run at once, so that a person waits less. */
export function timesOf(lives: readonly Life[]): string {
  const longest = lives.toSorted((a, b) => b.ms - a.ms).slice(0, 3);
  const named = longest.map(({ agent, seed, language, ms }) =>
    [agent, String(seed), language, seconds(ms)].filter((part) => part !== '').join(' '),
  );
  const sum = lives.reduce((all, { ms }) => all + ms, 0);
  return `${lives.length} runs took ${seconds(sum)} in all; the longest: ${named.join(', ')}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function listed(counts: { readonly [name: string]: number }): string {
  const all = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  return all.length === 0 ? '–' : all.map(([name, count]) => `${name} ${count}`).join(', ');
}
