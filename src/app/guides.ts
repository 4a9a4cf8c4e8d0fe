// Finds the guides that the package ships, by the name that a person types after `untildone help`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageRoot } from './own-files.ts';

export interface Guide {
  readonly topic: string;
  readonly title: string;
  readonly markdown: string;
}

/** Null if the guides were removed. */
function guideFolder(): string | null {
  const folder = join(packageRoot(), 'docs', 'guide');
  return existsSync(join(folder, 'first-run.md')) ? folder : null;
}

/** Ordered by topic. */
export function listGuides(): readonly Guide[] {
  const folder = guideFolder();
  if (folder === null) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => {
      const markdown = readFileSync(join(folder, path), 'utf8');
      return { topic: topicOf(path), title: titleOf(markdown), markdown };
    })
    .toSorted((one, other) => (one.topic < other.topic ? -1 : 1));
}

/** `agents/README.md` → agents, `agents/claude.md` → claude, `checks.md` → checks. */
function topicOf(path: string): string {
  const name = basename(path, '.md');
  return name === 'README' ? basename(join(path, '..')) : name;
}

function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? '';
}
