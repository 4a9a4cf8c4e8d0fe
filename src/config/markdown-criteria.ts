// Criteria in prose: checkboxes anywhere, or the list below a heading "Acceptance criteria". Each knows its line.
import { OperatorError } from '#ports/operator-error.ts';
import type { WrittenCriterion } from './written-criteria.ts';

export interface CriteriaText {
  readonly title: string | null;
  readonly criteria: readonly WrittenCriterion[];
  /** The text without the lists of criteria. */
  readonly rest: string;
  /** Boxes that are ticked; a tick proves nothing. */
  readonly ticked: number;
}

interface Item {
  readonly line: number;
  readonly isTicked: boolean;
  readonly kind: 'entry' | 'exit';
  text: string;
}

/** `name` is the file, or what else the text is called in messages. */
export function criteriaOfMarkdown(text: string, name: string): CriteriaText {
  const { items, rest, title } = scan(text);
  const criteria = items.map((item) => readItem(item, `${name}:${item.line}`));
  return {
    title,
    criteria,
    rest: rest.join('\n').trim(),
    ticked: items.filter((one) => one.isTicked).length,
  };
}

interface Section {
  readonly level: number;
  readonly kind: 'entry' | 'exit';
}

function scan(text: string): { items: Item[]; rest: string[]; title: string | null } {
  const items: Item[] = [];
  const rest: string[] = [];
  let title: string | null = null;
  let section: Section | null = null;
  let isFenced = false;
  let last: Item | null = null;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
    const heading = isFenced ? null : headingOf(line);
    if (heading !== null) {
      title ??= heading.text;
      section = sectionAt(section, heading);
      last = null;
      if (section === null || section.level !== heading.level) rest.push(line);
      continue;
    }
    const item = isFenced ? null : itemOf(line, index + 1, section);
    if (item !== null) {
      items.push(item);
      last = item;
    } else if (last !== null && !isFenced && /^\s+\S/.test(line)) {
      last.text += ` ${line.trim()}`;
    } else {
      last = null;
      if (section === null || line.trim() !== '') rest.push(line);
    }
  }
  return { items, rest, title };
}

function headingOf(line: string): { level: number; text: string } | null {
  const found = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line);
  if (found !== null) return { level: found[1]?.length ?? 1, text: found[2] ?? '' };
  const bare = /^\**((?:acceptance|entry|exit) criteria)\**:?\**\s*$/i.exec(line);
  return bare === null ? null : { level: 7, text: bare[1] ?? '' };
}

function sectionAt(open: Section | null, { level, text }: { level: number; text: string }): Section | null {
  if (/\bentry (?:criteria|conditions)\b/i.test(text)) return { level, kind: 'entry' };
  if (/\b(?:acceptance|exit) criteria\b/i.test(text)) return { level, kind: 'exit' };
  return open !== null && level > open.level ? open : null;
}

function itemOf(line: string, number: number, section: Section | null): Item | null {
  const box = /^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\](.*)$/.exec(line);
  const kind = section?.kind ?? 'exit';
  if (box !== null) return { line: number, isTicked: box[1] !== ' ', kind, text: (box[2] ?? '').trim() };
  const bullet = section === null ? null : /^ {0,3}(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line);
  return bullet === null ? null : { line: number, isTicked: false, kind, text: (bullet[1] ?? '').trim() };
}

/** `AC-3: text (check: npm test) (optional)`: the id in front and the remarks at the end are not part of the text. */
function readItem(item: Item, where: string): WrittenCriterion {
  let text = item.text;
  let { kind } = item;
  let required = true;
  let when: 'attempt' | 'acceptance' = 'attempt';
  let isHuman = false;
  for (;;) {
    const found = /\s*\((optional|not required|entry|human|a person|at acceptance|when: acceptance)\)$/i.exec(
      text,
    );
    if (found === null) break;
    text = text.slice(0, found.index);
    const word = (found[1] ?? '').toLowerCase();
    if (word === 'entry') kind = 'entry';
    else if (word === 'human' || word === 'a person') isHuman = true;
    else if (word.endsWith('acceptance')) when = 'acceptance';
    else required = false;
  }
  const { words, run } = splitCheck(text, where);
  const named = /^\**([A-Z][A-Za-z]*-\d+)\**[:.)]?\**\s+(.*)$/.exec(words);
  const said = (named?.[2] ?? words).trim();
  if (said === '' && run === null) throw badCriterion(where, 'a criterion has no text');
  return {
    ...(named?.[1] === undefined ? {} : { id: named[1] }),
    text: said === '' ? `\`${run ?? ''}\` passes` : said,
    kind,
    required,
    when,
    check: isHuman ? 'human' : run,
    from: where,
  };
}

function splitCheck(text: string, where: string): { words: string; run: string | null } {
  const at = text.search(/\(check:/i);
  if (at === -1) return { words: text, run: null };
  const inside = text.slice(at + '(check:'.length);
  if (!inside.endsWith(')'))
    throw badCriterion(where, 'the check is not closed; write (check: npm test) at the end');
  const run = inside
    .slice(0, -1)
    .trim()
    .replace(/^`(.*)`$/, '$1');
  if (run === '') throw badCriterion(where, 'the check is empty');
  return { words: text.slice(0, at).trim(), run };
}

export function badCriterion(where: string, problem: string): OperatorError {
  return new OperatorError(
    'bad-criterion',
    `${where}: ${problem}.`,
    'For example: - [ ] AC-1: the server answers /health (check: npm test)',
  );
}
