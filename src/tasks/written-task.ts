// A task as a person wrote it, from whatever kind of file: what all readers give and the writer takes.
import type { WrittenCriterion } from '#tasks/criteria/written-criteria.ts';
import { normalRank } from './task-fields.ts';

export interface WrittenTask {
  readonly id: string;
  readonly title: string;
  /** The description and all text that belongs to it, without the criteria. */
  readonly text: string;
  readonly context: string;
  /** 0 comes first; see `rankOf`. */
  readonly rank: number;
  /** Files and globs of the task. */
  readonly scope: readonly string[];
  /** Ids, once the file was checked; before that as they were written. */
  readonly dependsOn: readonly string[];
  /** By role: the name of an agent, or name:model. */
  readonly agents: { readonly [role: string]: string };
  readonly domain: string | null;
  readonly mayChange: readonly string[];
  readonly isSecurityCritical: boolean;
  readonly criteria: readonly WrittenCriterion[];
  /** Boxes that are ticked; a tick proves nothing. */
  readonly ticked: number;
  readonly at: TaskPlace;
}

/** The fields that are read alike from every kind of file. */
export type TaskFields = Pick<
  WrittenTask,
  'rank' | 'scope' | 'dependsOn' | 'agents' | 'domain' | 'mayChange' | 'isSecurityCritical'
>;

/** Lines in its file: where it begins, and where single fields stand. */
export interface TaskPlace {
  readonly line: number;
  /** `tasks.md:12` */
  readonly where: string;
  readonly dependsOn: { readonly line: number; readonly where: string };
  readonly agent: { readonly where: string };
}

/** What a task has where nothing else is said. */
export function plainTask(
  task: Pick<WrittenTask, 'id' | 'title' | 'text' | 'criteria'> & Partial<WrittenTask>,
  where: string,
  line = 1,
): WrittenTask {
  return {
    context: '',
    rank: normalRank,
    scope: [],
    dependsOn: [],
    agents: {},
    domain: null,
    mayChange: [],
    isSecurityCritical: false,
    ticked: 0,
    at: { line, where, dependsOn: { line, where }, agent: { where } },
    ...task,
  };
}

/** Of the only task of a file, where it names none. */
export const soleId = 'main';

/** What an agent is told of it: its own words and nothing of other tasks. */
export function taskText({ title, text, context, scope }: WrittenTask): string {
  return [
    `# ${title}`,
    text,
    ...(scope.length === 0 ? [] : [`### Scope\n\n${scope.map((path) => `- \`${path}\``).join('\n')}`]),
    ...(context === '' ? [] : [`### Context\n\n${context}`]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
