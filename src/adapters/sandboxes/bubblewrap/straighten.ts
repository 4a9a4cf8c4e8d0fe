// After a program: what it left where we read and write next. A link would lead us out, a pipe would never answer.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Leaves files and folders, and nothing else. Contract: the folder itself is not the program's to replace; never throws. */
export function straighten(folder: string): void {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    for (const entry of entries)
      if (!entry.isFile() && !entry.isDirectory()) rmSync(join(folder, entry.name), { force: true });
    for (const entry of entries) if (entry.isDirectory()) straighten(join(folder, entry.name));
  } catch {
    // What cannot be entered cannot be read by us either.
  }
}
