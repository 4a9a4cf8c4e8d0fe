// Reads TOML as plain JSON: tables, inline tables and dotted keys become the same. Pure.
import { parse, type TomlTable } from 'smol-toml';
import { toPlain, type Table } from './plain.ts';

/** Contract: null for a text that is not valid TOML. */
export function readToml(text: string): Table | null {
  try {
    const table: TomlTable = parse(text.replace(/^\uFEFF/, ''), {
      integersAsBigInt: 'asNeeded',
      maxDepth: 100,
    });
    return toPlain(table) as Table;
  } catch {
    return null;
  }
}
