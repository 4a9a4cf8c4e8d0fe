// Formats the results for a person.
import type { Line } from './measure.ts';
import { valueOf, verdictOf } from './measure.ts';

export function renderTable(lines: readonly Line[]): string {
  const head = ['what', 'measured', 'gate', 'aim', '', ''];
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
  const value = valueOf(line);
  const unit = line.raw === null ? line.unit : '×';
  const limit = (number: number | undefined): string => (number === undefined ? '' : `≤ ${number} ${unit}`);
  return [
    line.name,
    value === null ? '' : `${short(value)} ${unit}`,
    limit(line.gate),
    limit(line.aim),
    verdictOf(line),
    [againstOf(line), line.note ?? ''].filter((text) => text !== '').join(' · '),
  ];
}

/** Both sides of a ratio. */
function againstOf({ measured, raw, unit }: Line): string {
  if (measured === null || raw === null) return '';
  return `${short(measured)} ${unit} against ${short(raw)} ${unit}`;
}

function short(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return value.toFixed(0);
  return value.toPrecision(3);
}
