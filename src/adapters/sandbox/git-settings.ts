// Filters a repository's settings for sandboxed programs: what git needs to work, and no password. An
// allowlist, because programs keep passwords under their own names.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { orElse } from '#base/or-else.ts';
import { split } from '#adapters/git/repo/git.ts';

/** Sections on how git works here, not on access elsewhere: no aliases, mail, credentials or includes. */
const shownSections = new Set(
  `advice am apply blame branch checkout clean color column commit core diff difftool extensions feature fetch filter format gc grep i18n
  index init interactive lfs log merge mergetool notes pack pull push rebase receive remote rerere sequence showbranch splitindex stash
  status submodule tag transfer uploadpack user versionsort`.split(/\s+/),
);

/** Withheld: settings that run a program for access or display, and signing, whose keys are not there. */
const withheld =
  /^(core\.(sshcommand|askpass|gitproxy|fsmonitor|editor|pager|alternaterefscommand)|(commit|tag)\.gpgsign|user\.signingkey|push\.gpgsign|remote\..*\.(proxy|vcs|uploadpack|receivepack|token))$/i;

/** Names and values that look like a secret. */
const tellingName = /token|secret|passw|auth|bearer|api-?key/i;
const tellingValue =
  /(token|secret|passw\w*|api[-_]?key|\bauth\w*)\s*[=:]\s*\S|authorization|bearer\s|\b(gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-)[\w-]{16}/i;

const known = new Map<string, string>();
const knownMax = 50;

/** What git answered so far, by the hash of a file: a session host asks nothing again that its driver asked. */
export function knownSettings(): { readonly [hash: string]: string } {
  return Object.fromEntries(known);
}

/** Contract: `settings` come from `knownSettings` of another process. */
export function rememberSettings(settings: { readonly [hash: string]: string }): void {
  for (const [hash, inside] of Object.entries(settings)) known.set(hash, inside);
}

/** Empty if the file is missing or git cannot read it. */
export function settingsInside(file: string): string {
  const text = orElse(() => readFileSync(file, 'utf8'), null);
  if (text === null) return '';
  const hash = createHash('sha256').update(text).digest('hex');
  const before = known.get(hash);
  if (before !== undefined) return before;
  const inside = entriesOf(text).flatMap(shownEntry).join('');
  if (known.size >= knownMax) known.clear();
  known.set(hash, inside);
  return inside;
}

/** Whether the file can be shown unchanged: nothing in it, comments included, would be removed. */
export function isShownWhole(file: string): boolean {
  const text = orElse(() => readFileSync(file, 'utf8'), null) ?? '';
  if (withoutPassword(text) !== text || tellingValue.test(text)) return false;
  return entriesOf(text).every((entry) => shownEntry(entry).length > 0);
}

interface Entry {
  readonly name: string;
  /** Null for a name without a value, which means true. */
  readonly value: string | null;
}

/** Git reads the user's own settings at its start, and these may be a pipe. */
const readMsMax = 10_000;

function entriesOf(text: string): Entry[] {
  if (text.trim() === '') return [];
  const read = (): string =>
    execFileSync('git', ['config', '--file', '-', '--no-includes', '--list', '-z'], {
      input: text,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: readMsMax,
      killSignal: 'SIGKILL',
    });
  return split(orElse(read, '')).map((entry) => {
    const end = entry.indexOf('\n');
    return end < 0
      ? { name: entry, value: null }
      : { name: entry.slice(0, end), value: entry.slice(end + 1) };
  });
}

function shownEntry({ name, value }: Entry): string[] {
  const [section = '', key = ''] = [name.split('.')[0], name.split('.').at(-1)];
  if (!shownSections.has(section) || withheld.test(name)) return [];
  const middle = name.slice(section.length + 1, -key.length - 1);
  const shown = value === null ? null : withoutPassword(value);
  // An address as a subsection: `lfs.https://…/info/lfs.access`.
  if (withoutPassword(middle) !== middle || tellingName.test(key) || tellingValue.test(shown ?? ''))
    return [];
  const head = middle === '' ? `[${section}]` : `[${section} "${middle.replaceAll(/["\\]/g, '\\$&')}"]`;
  return [`${head}\n\t${key}${shown === null ? '' : ` = ${quoted(shown)}`}\n`];
}

/** Keeps only the location of an address. A name alone is a token in https, a user in ssh. */
export function withoutPassword(value: string): string {
  return value
    .replaceAll(/\b((?:https?|ftps?):\/\/)[^/\s@]*@/gi, '$1')
    .replaceAll(/\b(https?:\/\/[^\s?#]*)[?#]\S*/gi, '$1')
    .replaceAll(/\b([a-z][a-z\d+.-]*:\/\/[^/\s:@]*):[^/\s@]*@/gi, '$1@');
}

function quoted(value: string): string {
  const escaped = value
    .replaceAll(/["\\]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\b', '\\b');
  return `"${escaped}"`;
}
