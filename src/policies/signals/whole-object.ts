// Reads an answer that is one JSON object with the fields of a report; it counts like a block.
import { isFenceLine } from './marker-reader.ts';
import { toolCallLine } from './plain-text.ts';
import type { ActionReading } from './report-of.ts';
import { isTemplate, rawOfObject, readingOf } from './report-of.ts';
import { readJsonObject } from './tolerant-json.ts';

/** The text after the last tool call, if it is such an object. `isCut`: the start of the text is missing. */
export function readWholeObject(lines: readonly string[], isCut: boolean): ActionReading | null {
  const text = lastAnswer(lines, isCut);
  if (!text.startsWith('{')) return null;
  const json = readJsonObject(text, 0);
  if (json.kind === 'problem') {
    const isAction = /^\{\s*"action(?:_result)?"\s*:/i.test(text);
    return isAction
      ? { kind: 'problems', problems: [`Your answer is a JSON object that ${json.problem}`] }
      : null;
  }
  if (text.slice(json.end).trim() !== '') return null;
  const raw = rawOfObject(json.value);
  return raw.action === null || isTemplate(raw) ? null : readingOf(raw);
}

/** Without the code block around it. */
function lastAnswer(lines: readonly string[], isCut: boolean): string {
  const last = lines.findLastIndex((line) => line !== toolCallLine && line.trim() !== '');
  const call = lines.lastIndexOf(toolCallLine, last);
  if (call === -1 && isCut) return '';
  const rest = lines.slice(call + 1, last + 1);
  const first = rest.findIndex((line) => line.trim() !== '');
  const isFenced =
    isFenceLine(rest[first] ?? '') && isFenceLine(rest.at(-1) ?? '') && first < rest.length - 1;
  return rest
    .slice(isFenced ? first + 1 : first, isFenced ? -1 : undefined)
    .join('\n')
    .trim();
}
