// TOML as plain JSON. Tables, inline tables and dotted keys are the same thing afterwards. Pure.
import { parse, type TomlTable } from 'smol-toml';
import { toPlain, type Table } from './plain.ts';

/** Contract: null for a text that no TOML parser would read. */
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
