import type { FileCheck } from '#kernel/model/check.ts';
import type { RepositoryFacts } from './facts.ts';
import { ask, type Inference, understood } from './inference.ts';
import { certainty, matchWhole, pathOf, patterns } from './match.ts';
import { isPath } from './names.ts';
import type { Sentence, Token } from './sentence.ts';

const parts = {
  file: '(?:(?:markdown|config|configuration|source|test|workflow|documentation|json|yaml|css|sql) )?(?:file|module|script|document|workflow|stylesheet|page|config)',
  named: 'called |named |at |with name ',
  exists:
    'exists|is present|is there|is created|is added|is in place|is available|is committed|is checked in|is provided|is found',
  text: 'text|string|line|phrase|word|words|sentence',
};

const existing = patterns(
  parts,
  '(?:{file} )?(?:{named})?@path@(?: {file})? {exists}',
  'there (?:is|exists) (?:{file} )?(?:{named})?@path@(?: {file})?',
  '(?:create|add|introduce) (?:{file} )?(?:{named})?@path@(?: {file})?',
  '(?:repository|repo|project|codebase) (?:has|contains|includes|ships) (?:{file} )?(?:{named})?@path@(?: {file})?',
);

const gone = patterns(
  parts,
  '(?:(?:old|obsolete|legacy) )?(?:{file} )?@path@(?: {file})? (?:is (?:removed|deleted|gone)|does not exists?(?: anymore| any more)?|no longer exists)',
  '(?:delete|remove) (?:(?:old|obsolete|legacy) )?(?:{file} )?@path@(?: {file})?',
);

const containing = patterns(
  parts,
  '(?:{file} )?@path@ (?:contains|includes|mentions|has) (?<noun>{text}) @text@',
  '(?:{file} )?@path@ (?:contains|includes|mentions) @text@',
  '(?<noun>{text}) @text@ (?:appears|is present|is found|exists|is mentioned) in @path@',
  '@text@ is mentioned in @path@',
);

const headed = patterns(
  parts,
  '@path@ (?:has|contains|includes) @text@ (?:section|heading|chapter)',
  '@path@ (?:has|contains|includes) (?:section|heading|chapter) (?:{named}|titled |headed )?@text@',
);

export function inferFile(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  return inferPresence(sentence, facts) ?? inferText(sentence, facts);
}

function inferPresence(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  const there = matchWhole(sentence, existing);
  const found = there ?? matchWhole(sentence, gone);
  const token = found?.token('path') ?? null;
  if (token === null) return null;
  const path = pathOf(token, facts) ?? (sentence.isAtRoot && isPath(token.text) ? token.text : null);
  if (path === null) {
    if (isFolder(token, facts)) return ask(`${token.text} is a folder, and git keeps only files: name one`);
    return isPath(token.text)
      ? ask(
          `it is not said where ${token.text} lies`,
          `Write its whole path; at the root that is ./${token.text}.`,
        )
      : null;
  }
  const kind = there === null ? 'absent' : 'exists';
  const isThere = facts.files.includes(path);
  const note = isThere === (kind === 'exists') ? '; that is so already' : '';
  return fileCheck({ kind: 'file', path, holds: { kind } }, token, `it names the file ${path}${note}`);
}

function isFolder({ text }: Token, { files }: RepositoryFacts): boolean {
  return files.some((file) => file.startsWith(`${text.replace(/\/$/, '')}/`));
}

/** Prose can be searched for words; in code and data a word may mean anything. */
const prose =
  /\.(?:md|mdx|txt|rst|html|ya?ml|toml|env|example|cfg|ini|properties|css)$|^\.\w+|^(?:Makefile|Dockerfile|LICENSE|justfile)$/;

function inferText(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  const heading = matchWhole(sentence, headed);
  const found = heading ?? matchWhole(sentence, containing);
  const [token, text] = [found?.token('path') ?? null, found?.token('text') ?? null];
  const path = pathOf(token, facts);
  if (found === null || path === null || text === null || !text.isQuoted) return null;
  if (heading !== null && !/\.mdx?$/.test(path)) return null;
  if (heading === null && found.word('noun') === null && !prose.test(path)) return null;
  const check: FileCheck = { kind: 'file', path, holds: { kind: 'contains', text: text.text } };
  if (heading === null) return fileCheck(check, token, `it names the file ${path} and a text in it`);
  // A heading may be written in many ways; its words alone prove less than a section.
  const why = `it names a section of ${path}; only its words are looked for`;
  return { kind: 'checks', checks: [check], confidence: 0.7, why, isSuggestion: true };
}

function fileCheck(check: FileCheck, token: Token | null, why: string): Inference {
  return understood([check], certainty(token), why);
}
