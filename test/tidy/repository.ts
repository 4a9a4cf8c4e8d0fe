import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from './source-file.ts';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const made = /^(node_modules|dist|dist-.*|coverage|\.git|\.untildone)$/;
const text = /\.(ts|tsx|mjs|js|json|jsonc|md|css|html|yml|yaml|sh)$|^\.[a-z]+$|\/run$|^[A-Z]+$/;

/** Every text file that people write; not what tools make. */
export function repositoryFiles(): readonly SourceFile[] {
  return filesBelow(root)
    .map((path) => relative(root, path).split(sep).join('/'))
    .filter((path) => text.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !made.test(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return entry.isFile() ? [path] : [];
    });
}
