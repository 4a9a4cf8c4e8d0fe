// A task as a person wrote it: the result of all readers and the input of the writer.
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
  /** Ids after the file was checked; before that, as written. */
  readonly dependsOn: readonly string[];
  /** By role: the name of an agent, or name:model. */
  readonly agents: { readonly [role: string]: string };
  readonly domain: string | null;
  readonly mayChange: readonly string[];
  readonly isSecurityCritical: boolean;
  readonly criteria: readonly WrittenCriterion[];
  /** Number of ticked boxes; a tick proves nothing. */
  readonly ticked: number;
  readonly at: TaskPlace;
}

/** The fields that all file formats share. */
export type TaskFields = Pick<
  WrittenTask,
  'rank' | 'scope' | 'dependsOn' | 'agents' | 'domain' | 'mayChange' | 'isSecurityCritical'
>;

/** Lines in its file: the start of the task and of single fields. */
export interface TaskPlace {
  readonly line: number;
  /** `tasks.md:12` */
  readonly where: string;
  readonly dependsOn: { readonly line: number; readonly where: string };
  readonly agent: { readonly where: string };
}

/** Fills in the defaults of all other fields. */
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

/** The id of a single task that has none. */
export const soleId = 'main';

/** The task's text for an agent: its own words, nothing of other tasks. */
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
