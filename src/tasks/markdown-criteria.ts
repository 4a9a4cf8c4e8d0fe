// Reads criteria from prose, each with its line: checkboxes, or the list below "Acceptance criteria".
import { type Item, readBody } from './task-body.ts';
import { linesOf } from './task-lines.ts';
import { badCriterion, type WrittenCriterion } from '#tasks/criteria/written-criteria.ts';

/** `name`: how messages call the text. */
export function criteriaOfMarkdown(text: string, name: string): WrittenCriterion[] {
  const { items } = readBody(linesOf(text).lines, 'criteria');
  return items.map((item) => {
    const read = readItem(item, `${name}:${item.line}`);
    if ('problem' in read) throw badCriterion(`${name}:${item.line}`, read.problem);
    return read.criterion;
  });
}

interface Remarks {
  readonly text: string;
  readonly words: readonly string[];
}

/** `AC-3: text (check: npm test) (optional)`: the id and the remarks are not part of the text. */
export function readItem(
  item: Item,
  from: string,
): { readonly criterion: WrittenCriterion } | { readonly problem: string } {
  const { text, words } = takeRemarks(item.text);
  const split = splitCheck(text);
  if ('problem' in split) return split;
  const { run } = split;
  const named = /^\**([A-Z][A-Za-z]*-\d+)\**[:.)]?\**\s+(.*)$/s.exec(split.words);
  const sentence = [(named?.[2] ?? split.words).trim(), ...item.details]
    .filter((part) => part !== '')
    .join('; ');
  if (sentence === '' && run === null) return { problem: 'a criterion has no text' };
  const isHuman = words.includes('human') || words.includes('a person');
  if (isHuman && run !== null)
    return { problem: 'a criterion is decided by its check or by a person, not by both' };
  return {
    criterion: {
      ...(named?.[1] === undefined ? {} : { id: named[1] }),
      text: sentence === '' ? `\`${run ?? ''}\` passes` : sentence,
      kind: words.includes('entry') ? 'entry' : item.kind,
      required: !words.includes('optional') && !words.includes('not required'),
      when: words.some((word) => word.endsWith('acceptance')) ? 'acceptance' : 'attempt',
      check: isHuman ? 'human' : run,
      from,
    },
  };
}

/** A single criterion, written like a list item. */
export function readSentence(text: string, from: string, kind: Item['kind'] = 'exit') {
  return readItem({ line: 1, indent: 0, isTicked: false, kind, text, details: [] }, from);
}

const remark = /\s*\((optional|not required|entry|human|a person|at acceptance|when: acceptance)\)$/i;

function takeRemarks(whole: string): Remarks {
  const words: string[] = [];
  let text = whole.trim();
  for (let found = remark.exec(text); found !== null; found = remark.exec(text)) {
    text = text.slice(0, found.index);
    words.push((found[1] ?? '').toLowerCase());
  }
  return { text, words };
}

function splitCheck(
  text: string,
): { readonly words: string; readonly run: string | null } | { readonly problem: string } {
  const at = text.search(/\(check:/i);
  if (at === -1) return { words: text, run: null };
  const inside = text.slice(at + '(check:'.length);
  if (!inside.endsWith(')'))
    return { problem: 'the check is not closed; write (check: npm test) at the end' };
  const run = inside
    .slice(0, -1)
    .trim()
    .replace(/^`(.*)`$/, '$1');
  return run === '' ? { problem: 'the check is empty' } : { words: text.slice(0, at).trim(), run };
}
