// Tables of TOML and INI files, read line by line. Pure.
import type { Sections } from './sections.ts';

interface Row {
  /** `[a.b]` and `c = x` are `a.b.c`, in whatever way the tables are written. */
  readonly path: string;
  /** null for the head of a table. */
  value: string | null;
}

export function tableSections(text: string, prefixes: readonly string[], kind: 'toml' | 'ini'): Sections {
  const sections = new Map<string, string>();
  for (const { path, value } of rowsOf(text, kind)) {
    const section = prefixOf(path, value ?? '', prefixes);
    const line = value === null ? `[${path}]` : `${path} = ${value}`;
    if (section !== null) sections.set(section, `${sections.get(section) ?? ''}${line}\n`);
  }
  return sections;
}

/** Every key of a TOML file with the text of its value. */
export function tableKeys(text: string): [string, string][] {
  return rowsOf(text, 'toml').flatMap(({ path, value }): [string, string][] =>
    value === null ? [] : [[path, value]],
  );
}

const name = String.raw`(?:"[^"]*"|'[^']*'|[\w:-]+)`;
const header = new RegExp(String.raw`^\s*\[\[?\s*([^[\]]+?)\s*\]\]?\s*(?:[#;].*)?$`);
const assignment = new RegExp(String.raw`^\s*(${name}(?:\s*\.\s*${name})*?)\s*[=:]\s*(.*)$`);

function rowsOf(text: string, kind: 'toml' | 'ini'): Row[] {
  const rows: Row[] = [];
  let table = '';
  for (const raw of text.split('\n')) {
    const line = raw.replace(kind === 'toml' ? /^\s*#.*$/ : /^\s*[#;].*$/, '').trimEnd();
    const last = rows.at(-1);
    const isMore = kind === 'toml' ? isOpen(last?.value ?? '') : /^\s/.test(line);
    const head = isMore ? null : header.exec(line);
    const key = isMore || head !== null ? null : assignment.exec(line);
    if (line.trim() === '') continue;
    if (head !== null) {
      table = dotted(head[1] ?? '');
      rows.push({ path: table, value: null });
    } else if (key !== null) rows.push({ path: join(table, dotted(key[1] ?? '')), value: key[2] ?? '' });
    else if (typeof last?.value === 'string') last.value += `\n${line.trim()}`;
  }
  return rows;
}

/** Whether a list, a table or a text of many lines goes on: a head in there is none. */
function isOpen(value: string): boolean {
  const rest = value.replace(/"""(?:\\[\s\S]|(?!""")[\s\S])*"""|'''(?:(?!''')[\s\S])*'''/g, '');
  if (/"""|'''/.test(rest)) return true;
  const marks = rest.replace(/"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#.*$/gm, '');
  return (marks.match(/[[{]/g)?.length ?? 0) > (marks.match(/[\]}]/g)?.length ?? 0);
}

function dotted(path: string): string {
  return path
    .split('.')
    .map((part) => decoded(part.trim()))
    .join('.');
}

/** `"pyt\\u0065st"` is another spelling. */
function decoded(part: string): string {
  try {
    return part.startsWith('"') ? String(JSON.parse(part)) : part.replace(/^'|'$/g, '');
  } catch {
    return part.replaceAll('"', '');
  }
}

function join(table: string, key: string): string {
  return table === '' ? key : `${table}.${key}`;
}

/** A table above a pinned one counts when its value is written in place: `tool = { pytest = … }`. */
function prefixOf(path: string, value: string, prefixes: readonly string[]): string | null {
  const own = prefixes.find(
    (prefix) => path === prefix || (/^[.:]/.test(path.slice(prefix.length)) && path.startsWith(prefix)),
  );
  if (own !== undefined) return own;
  const isAbove =
    value.trimStart().startsWith('{') && prefixes.some((prefix) => prefix.startsWith(`${path}.`));
  return isAbove ? path : null;
}
