// Reads one line of an ACTION_RESULT block: its header or a field, with the decoration that models add.

export type FieldName = 'action' | 'status' | 'message' | 'state' | 'files' | 'menu' | 'next';

export interface FieldLine {
  readonly name: FieldName;
  readonly value: string;
  /** Length of the text after the colon. */
  readonly restLength: number;
}

/** Blanks, quote signs, bullets, headings, bold, backticks, a list number. Disjoint parts keep it linear. */
const lead = '^([\\s>*#`_•+-]*(?:\\d{1,3}[.)][\\s*_`]*)?)';
const keys =
  'action|status|message|state[ _-]?updates|files[ _-]?updated|menu[ _-]?options|next[ _-]action[ _-]needed|next_action';
const header = new RegExp(`${lead}ACTION_RESULT[*_\`\\s]*(?:[:=]|$)`);
const field = new RegExp(`${lead}(${keys})([*_\`]*)\\s*[:=](.*)$`, 'is');

const names: { readonly [key: string]: FieldName } = {
  action: 'action',
  status: 'status',
  message: 'message',
  stateupdates: 'state',
  filesupdated: 'files',
  menuoptions: 'menu',
  nextactionneeded: 'next',
  nextaction: 'next',
};

/** Also for keys of a JSON object: `stateUpdates`, `state_updates` and `State Updates` are one field. */
export function fieldNamed(key: string): FieldName | null {
  const name = key.replaceAll(/[\s_-]/g, '').toLowerCase();
  return Object.hasOwn(names, name) ? (names[name] ?? null) : null;
}

/** The text before and after the words ACTION_RESULT; null for any other line. */
export function headerOf(line: string): { readonly lead: string; readonly rest: string } | null {
  const match = header.exec(line);
  if (match === null) return null;
  return { lead: match[1] ?? '', rest: line.slice(match[0].length).replace(/^[*_`\s]+/, '') };
}

export function fieldOf(line: string): FieldLine | null {
  const match = field.exec(line);
  if (match === null) return null;
  const [, before = '', key = '', after = '', rest = ''] = match;
  const name = fieldNamed(key);
  return name === null ? null : { name, value: undecorated(rest, before, after), restLength: rest.length };
}

/** Bold or backticks opened before the key and not closed after it belong to the key, not to the value. */
function undecorated(rest: string, before: string, after: string): string {
  const sign = /(\*\*|__|`)\s*$/.exec(before)?.[1];
  const value = rest.trim();
  if (sign === undefined || after.includes(sign)) return value;
  if (value.startsWith(sign)) return value.slice(sign.length).trimStart();
  return value.endsWith(sign) ? value.slice(0, -sign.length).trimEnd() : value;
}
