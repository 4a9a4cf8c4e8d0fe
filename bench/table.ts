// Formats the results for a person.
import type { Line } from './measure.ts';
import { valueOf, verdictOf } from './measure.ts';

export function renderTable(lines: readonly Line[]): string {
  const head = ['', 'what', 'measured', 'raw', 'value', 'limit', ''];
  const rows = [head, ...lines.map(rowOf)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function rowOf(line: Line): string[] {
  const verdict = verdictOf(line);
  const value = valueOf(line);
  const sign = line.raw === null ? ` ${line.unit}` : ' ×';
  return [
    line.kind,
    line.name,
    line.measured === null ? '' : `${short(line.measured)} ${line.unit}`,
    line.raw === null ? '' : `${short(line.raw)} ${line.unit}`,
    value === null ? '' : `${short(value)}${sign}`,
    value === null ? '' : `≤ ${line.limit}${sign}`,
    line.note === undefined ? verdict : `${verdict} · ${line.note}`,
  ];
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
