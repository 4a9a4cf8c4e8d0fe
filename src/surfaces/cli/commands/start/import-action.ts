// `import`: makes a task file from other sources, which a person reviews before any agent works on it.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import type { Site } from '#app/site.ts';
import type { ImportFormat } from '#tasks/import-tasks.ts';
import type { WrittenTask } from '#tasks/written-task.ts';
import { OperatorError } from '#base/operator-error.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { busy } from '#surfaces/cli/render/busy.ts';
import { openHere } from '#surfaces/cli/open-here.ts';

export interface ImportOptions {
  readonly from?: string;
  readonly out?: string;
  readonly label?: readonly string[];
  readonly limit?: string;
  readonly force?: boolean;
  readonly append?: boolean;
  readonly json?: boolean;
}

export async function importCommand(file: string | undefined, options: ImportOptions): Promise<number> {
  const done = await importInto(await openHere(), file, options, () => readAll(process.stdin));
  if (options.json === true) printJson(done);
  else print(inWords(done));
  return 0;
}

export interface ImportReport {
  readonly file: string;
  readonly tasks: readonly { readonly id: string; readonly title: string; readonly criteria: number }[];
  /** Ids; a person decides them until criteria are written. */
  readonly withoutCriteria: readonly string[];
  /** Tasks that the file already had. */
  readonly leftOut: number;
  readonly notes: readonly string[];
}

type Place = Pick<Site, 'cwd' | 'root' | 'ownEnv'>;

export async function importInto(
  place: Place,
  file: string | undefined,
  options: ImportOptions,
  readInput: () => Promise<string>,
): Promise<ImportReport> {
  const format = await formatFor(file, options);
  const out = resolve(
    place.cwd,
    options.out ?? join(relative(place.cwd, place.root), '.untildone', 'tasks.md'),
  );
  const shown = relative(place.cwd, out);
  const before = await readFile(out, 'utf8').catch(() => null);
  if (before !== null && options.force !== true && options.append !== true)
    throw new OperatorError(
      'file-exists',
      `${shown} already exists.`,
      'Use --append to add to it, --force to replace it, or --out for another name.',
    );
  const kept = options.append === true ? (before ?? '') : '';
  const known = await tasksIn(kept, shown);
  const { importTasks } = await import('#tasks/import-tasks.ts');
  const { newTasks } = await import('#tasks/append-tasks.ts');
  const { unwritableChecks } = await import('#tasks/task-write.ts');
  const source = await sourceOf(place, file, options, readInput);
  const { tasks, notes } = await importTasks(source.text, {
    name: source.name,
    format: format ?? guess(source.text),
    firstNumber: known.length + 1,
  });
  const fresh = newTasks(tasks, known);
  if (fresh.length > 0) await write(out, shown, kept, fresh);
  return {
    file: shown,
    tasks: fresh.map(({ id, title, criteria }) => ({ id, title, criteria: criteria.length })),
    withoutCriteria: fresh.flatMap(({ id, criteria }) =>
      criteria.some(({ kind }) => kind === 'exit') ? [] : [id],
    ),
    leftOut: tasks.length - fresh.length,
    notes: [...notes, ...unwritableChecks(fresh)],
  };
}

async function formatFor(
  file: string | undefined,
  { from, label, limit }: ImportOptions,
): Promise<ImportFormat | null> {
  const formats = ['markdown', 'json', 'jsonl', 'github'] as const;
  const named = from === undefined ? undefined : formats.find((one) => one === from.toLowerCase());
  if (from !== undefined && named === undefined) {
    const { didYouMean } = await import('#base/suggest.ts');
    throw new OperatorError(
      'bad-flag',
      `--from is "${from}".`,
      didYouMean(from, formats) ?? `It can be ${formats.join(', ')}.`,
    );
  }
  if (file === undefined && named !== 'github')
    throw new OperatorError(
      'no-file',
      'There is nothing to import.',
      'Name a file, - for standard input, or --from github for the open issues.',
    );
  if ((label !== undefined || limit !== undefined) && (named !== 'github' || file !== undefined))
    throw new OperatorError(
      'bad-flag',
      '--label and --limit are for issues that are read from GitHub.',
      'Use --from github without a file.',
    );
  if (named !== undefined || file === undefined || file === '-') return named ?? null;
  const { formatOf } = await import('#tasks/task-file.ts');
  return formatOf(file);
}

async function sourceOf(
  place: Place,
  file: string | undefined,
  { label = [], limit = '100' }: ImportOptions,
  readInput: () => Promise<string>,
): Promise<{ text: string; name: string }> {
  if (file === '-') return { text: await readInput(), name: 'standard input' };
  if (file !== undefined) {
    const { readText } = await import('#tasks/task-file.ts');
    return { text: await readText(resolve(place.cwd, file), file, 'untildone import'), name: file };
  }
  if (!/^[1-9]\d{0,3}$/.test(limit))
    throw new OperatorError('bad-flag', `--limit is "${limit}".`, 'Give a number from 1 to 9999.');
  const { issuesOf } = await import('#app/issues.ts');
  const wanted = { labels: label, limit: Number(limit) };
  return { text: await busy('reading issues from GitHub', () => issuesOf(place, wanted)), name: '`gh`' };
}

/** Several lines, the first of which is a whole object, are JSONL. */
function guess(text: string): ImportFormat {
  const [first = '', ...others] = text.trim().split('\n');
  if (others.length > 0 && /^\{.*\}\s*$/.test(first)) return 'jsonl';
  return /^\s*[[{]/.test(text) ? 'json' : 'markdown';
}

async function tasksIn(text: string, name: string): Promise<readonly WrittenTask[]> {
  if (text.trim() === '') return [];
  const { parseTasks } = await import('#tasks/task-file.ts');
  return (await parseTasks(text, { name, format: 'markdown', fallback: 'tasks' })).tasks;
}

/** Writes all or nothing, and only text that our own parser reads. */
async function write(out: string, name: string, kept: string, tasks: readonly WrittenTask[]): Promise<void> {
  const { writeTasks } = await import('#tasks/task-write.ts');
  const { parseTasks } = await import('#tasks/task-file.ts');
  const text = kept.trim() === '' ? writeTasks(tasks) : `${kept.trimEnd()}\n\n${writeTasks(tasks)}`;
  await parseTasks(text, { name, format: 'markdown', fallback: 'tasks' });
  await mkdir(dirname(out), { recursive: true });
  const draft = `${out}.${process.pid}.tmp`;
  await writeFile(draft, text);
  await rename(draft, out);
}

function inWords({ file, tasks, withoutCriteria, leftOut, notes }: ImportReport): string {
  const were = leftOut === 0 ? '' : `; ${leftOut} ${leftOut === 1 ? 'is' : 'are'} there already`;
  const count = `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}`;
  const lacking = tasks.filter(({ id }) => withoutCriteria.includes(id));
  return [
    tasks.length === 0 ? `Nothing new for ${file}${were}.` : `${count} in ${file}${were}.`,
    ...notes,
    ...(lacking.length === 0
      ? []
      : ['These tasks have no acceptance criteria, so a person decides when they are done. Add some:']),
    ...lacking.map(({ id, title }) => `  ${id} - ${title}`),
    ...(tasks.length === 0 ? [] : [`Review the file, then: untildone queue ${file}`]),
  ].join('\n');
}
