// Stores the permanent answers that a person gave at a terminal, per repository. The file is with the state
// of the runs, where no agent can write; every setting of a file or flag is stronger.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readConfigFile } from './config-file.ts';
import type { Layer } from './layers.ts';

/** Where answers are stored; a `Site` of app/ fits. */
export interface AnswerPlace {
  readonly stateHome: string;
  readonly repoId: string;
}

export function answersPath({ stateHome, repoId }: AnswerPlace): string {
  return join(stateHome, 'untildone', repoId, '.answers.jsonc');
}

export async function readAnswers(place: AnswerPlace): Promise<Layer> {
  return (await readConfigFile(answersPath(place), 'answer')) ?? new Map();
}

export async function rememberAcceptReview(place: AnswerPlace, acceptReview: boolean): Promise<void> {
  const path = answersPath(place);
  await mkdir(dirname(path), { recursive: true });
  const text = `// Your answer at a terminal. --accept-review and --no-accept-review override it. Delete this file to be asked again.\n${JSON.stringify({ acceptReview }, null, 2)}\n`;
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, path);
}
