// The guides that the package ships, by the name that a person types after `untildone help`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Guide {
  readonly topic: string;
  readonly title: string;
  readonly markdown: string;
}

/** Built, this file lies one folder below the package; in the sources, two. Null where the guides were removed. */
function guideFolder(): string | null {
  const places = ['../docs/guide', '../../docs/guide'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  return places.find((place) => existsSync(join(place, 'first-run.md'))) ?? null;
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
