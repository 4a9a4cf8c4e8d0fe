// Decides which headings of a file begin a task, and derives each task's id and title. Pure.
import type { TextLine } from './task-lines.ts';

export interface TaskName {
  readonly id: string;
  readonly title: string;
  readonly line: number;
}

export interface TaskPart {
  readonly named: TaskName;
  readonly lines: readonly TextLine[];
}

/** `Task 3: Title`, `Task 3 - Title`, `Task: Title` (without an id), `T-12: Title`. */
export function nameOf(
  heading: string,
): { readonly id: string | null; readonly title: string; readonly isExplicit: boolean } | null {
  const explicit =
    /^task\s+#?([\w.-]*\d[\w.-]*?)\s*(?:[:：.–—-]+\s*(.*)|$)$/i.exec(heading) ??
    /^task\s+([A-Za-z][\w.-]*)\s*[:：]\s*(.*)$/i.exec(heading);
  if (explicit !== null) {
    const [, number = '', title = ''] = explicit;
    return { id: /^[\d.]+$/.test(number) ? `task-${number}` : number, title: title.trim(), isExplicit: true };
  }
  const nameless = /^task\s*[:：]\s*(.+)$/i.exec(heading);
  if (nameless !== null) return { id: null, title: (nameless[1] ?? '').trim(), isExplicit: true };
  const short = /^([A-Z][A-Za-z0-9]*-\d+)\b[\s:：.–—-]*(.*)$/.exec(heading);
  if (short === null) return null;
  return { id: short[1] ?? '', title: (short[2] ?? '').trim(), isExplicit: false };
}

type Report = (line: number, problem: string) => void;

/** Null if the whole file is one task. */
export function splitTasks(lines: readonly TextLine[], report: Report): TaskPart[] | null {
  const level = taskLevel(lines);
  if (level === null) return null;
  const parts: { named: TaskName; lines: TextLine[] }[] = [];
  let open: TextLine[] | null = null;
  for (const line of lines) {
    const { heading } = line;
    const name = heading === null ? null : nameOf(heading.text);
    if (heading !== null && name !== null && heading.level === level) {
      const named = nameFor(name, line.line, parts.length + 1, report);
      open = [];
      parts.push({ named, lines: open });
      continue;
    }
    if (heading !== null) {
      if (name?.isExplicit === true)
        report(
          line.line,
          `"${heading.text}" has another level than the tasks before it; start all of them with ${'#'.repeat(level)}`,
        );
      else if (heading.level === level && open !== null)
        report(
          line.line,
          `"${heading.text}" is not a task; write "${'#'.repeat(level)} Task ${parts.length + 1}: ${heading.text}", or set it one level deeper if it belongs to the task above`,
        );
      if (heading.level <= level) open = null;
    }
    if (open === null) refuseStray(line, report);
    else open.push(line);
  }
  return parts;
}

function nameFor(
  { id, title }: { readonly id: string | null; readonly title: string },
  line: number,
  number: number,
  report: Report,
): TaskName {
  if (id === null) report(line, `a task needs a number or an id; write "Task ${number}: ${title}"`);
  if (title === '') report(line, `task ${id ?? number} has no title`);
  return { id: id ?? `task-${number}`, title, line };
}

/** Text above or between tasks is for people; a criterion there would never be checked. */
function refuseStray({ line, text, isCode }: TextLine, report: Report): void {
  if (!isCode && /^\s*(?:[-*+]|\d+[.)])\s+\[[ xX]?\](?!\()/.test(text))
    report(line, 'this checkbox belongs to no task');
}

/** The level of headings with "Task", else of those with an id. If only the file's title has one: null. */
function taskLevel(lines: readonly TextLine[]): number | null {
  const named = lines.flatMap(({ heading }) => {
    const name = heading === null ? null : nameOf(heading.text);
    return heading === null || name === null ? [] : [{ level: heading.level, ...name }];
  });
  const explicit = named.filter(({ isExplicit }) => isExplicit);
  const [first] = explicit;
  // If the only such heading is the file's title, the file is one task.
  if (first !== undefined) return explicit.length === 1 && first.level === 1 ? null : first.level;
  const tasks = named.filter(({ id }) => id !== null && !/^(?:AC|EC)-/i.test(id));
  const top = tasks.filter(({ level }) => level === 1);
  if (top.length > 1) return 1;
  const below = tasks.filter(({ level }) => level > 1);
  const level = Math.min(...below.map((one) => one.level));
  // Below such a title, a single heading that looks like an id is a section.
  const isEnough = below.filter((one) => one.level === level).length > top.length;
  return isEnough ? level : null;
}
