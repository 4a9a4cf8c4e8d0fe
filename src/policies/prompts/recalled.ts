// Git history and files as a builder reads them: fenced data, so that nothing in them can give orders.
import { clipped, fenced } from './render.ts';

export interface RecalledFile {
  readonly path: string;
  readonly text: string | null;
  readonly isThere: boolean;
}

/** Of the last change; the builder can read the files themselves. */
const patchMax = 16_000;

export function filesShown(files: readonly RecalledFile[]): string {
  if (files.length === 0) return '- (none is named; find what you need)';
  return files
    .map(({ path, text, isThere }) => {
      if (!isThere) return `### ${path}\n(not there yet)`;
      return text === null ? `### ${path}\n(not shown here; read it)` : `### ${path}\n${fenced(text)}`;
    })
    .join('\n\n');
}

const changeWords = {
  attempt: {
    none: 'The last attempt left the files as they were.',
    some: 'What the last attempts changed so far, and what is still in the files:',
  },
  commit: { none: 'The newest commit has nothing before it.', some: 'The newest commit changed:' },
};

export function memoryShown(
  commits: readonly string[],
  { stat, patch }: { readonly stat: string; readonly patch: string },
  of: 'attempt' | 'commit' = 'attempt',
): string {
  const { none, some } = changeWords[of];
  const change = stat === '' ? none : `${some}\n${fenced(stat)}\n${fenced(clipped(patch, patchMax))}`;
  const log = commits.length === 0 ? '' : `The newest commits:\n${fenced(commits.join('\n'))}\n\n`;
  return `## What git remembers\n${log}${change}`;
}
