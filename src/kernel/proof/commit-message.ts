// Writes the first lines of a commit, by the user's template or the default one.
import type { Run } from '#kernel/fold/run.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';

/** Names that a template may use. */
export const commitPlaceholders = ['type', 'scope', 'title', 'id'] as const;

export type CommitWords = { readonly [name in (typeof commitPlaceholders)[number]]: string };

const usualTemplate = '{type}({scope}): {title}';
const titleLengthMax = 100;

/** The placeholders of a template that do not exist. */
export function unknownPlaceholders(template: string): string[] {
  const known: readonly string[] = commitPlaceholders;
  return [...template.matchAll(/\{([^{}\n]*)\}/g)].flatMap(([, name = '']) =>
    known.includes(name) ? [] : [`{${name}}`],
  );
}

/**
 * Contract: an empty scope is removed with its brackets and, at the start of a line, with the punctuation
 * after it. An inserted word is never replaced again.
 */
export function renderCommitMessage(template: string, words: CommitWords): string {
  const bare = words.scope === '' ? withoutScope(template) : template;
  return bare
    .replaceAll(/\{(type|scope|title|id)\}/g, (_, name: keyof CommitWords) => words[name])
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

function withoutScope(template: string): string {
  return template
    .replaceAll(/^[ \t]*(?:[([]\{scope\}[)\]]|\{scope\})[ \t:;,.|/–—-]*/gm, '')
    .replaceAll(/[([]\{scope\}[)\]]/g, '');
}

/** For a task of a run. The only task of a run with one goal has no name, and so no scope. */
export function taskCommitMessage(
  run: Run,
  { id, title }: { readonly id: string; readonly title: string },
  type: 'feat' | 'wip',
): string {
  const { queue, planning } = run.config.policy;
  const isNameless = id === 'main' && queue === undefined && planning === undefined;
  return messageOf(run, { type, scope: isNameless ? '' : id, title, id });
}

/** The whole message of a task's commit: the trailers bind it to the run. */
export function landedCommitMessage(run: Run, task: { readonly id: string; readonly title: string }): string {
  return `${taskCommitMessage(run, task, 'feat')}\n\nUntildone-Run: ${run.id}\nUntildone-Task: ${task.id}\n`;
}

/** For the work of a whole run as one commit, in one line. */
export function landingSubject(run: Run, title: string): string {
  return messageOf(run, { type: 'feat', scope: '', title, id: run.id }).split('\n')[0] ?? '';
}

function messageOf({ config }: Run, words: CommitWords): string {
  const own = withOwnType({ ...words, title: withoutFullStop(oneLine(words.title)) });
  return renderCommitMessage(config.commit?.message ?? usualTemplate, own);
}

const typedTitle =
  /^(feat|fix|docs|test|refactor|perf|build|ci|chore|style|revert)(?:\(([^()]+)\))?(!?): *(\S.*)$/;

/** A goal or title may begin with its own type, as in `fix(parser): …`; unfinished work stays `wip`. */
function withOwnType(words: CommitWords): CommitWords {
  const [, type = '', scope = '', breaking = '', title = ''] = typedTitle.exec(words.title) ?? [];
  if (title === '') return words;
  const isPlain = words.scope === '' && scope === '';
  return {
    ...words,
    type: words.type === 'wip' ? 'wip' : `${type}${isPlain ? breaking : ''}`,
    scope: words.scope === '' ? scope : words.scope,
    title,
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, titleLengthMax);
}
