// Parses the text after /untildone:suspend or /untildone:resume: the flags of those commands.
import type { WaitEndFlags } from '#config/resume-flags.ts';
import type { SuspendFlags } from '#config/suspend-flags.ts';
import { OperatorError } from '#base/operator-error.ts';
import { splitWords } from './split-words.ts';

export interface TypedSuspend extends SuspendFlags {
  readonly why: string;
  readonly task?: string;
  readonly now?: boolean;
}

export interface TypedResume extends WaitEndFlags {
  readonly task?: string;
  readonly status?: boolean;
}

const ofSuspend: Flags = {
  values: ['time', 'until', 'every', 'tries', 'timeout', 'contains', 'task'],
  lists: ['command', 'file'],
  switches: ['poll', 'manual', 'any', 'all', 'now'],
};

const ofResume: Flags = {
  values: ['reject', 'task'],
  lists: [],
  switches: ['status', 'force', 'approve'],
};

export function readSuspend(text: string): TypedSuspend {
  const { words, flags } = readFlags('suspend', text, ofSuspend);
  return { ...flags, why: words.join(' ') };
}

export function readResume(text: string): TypedResume {
  const { words, flags } = readFlags('resume', text, ofResume);
  const [first] = words;
  if (first === undefined) return flags;
  throw new OperatorError(
    'usage',
    `/untildone:resume cannot read ${JSON.stringify(first)}.`,
    `It has ${namesOf(ofResume)}. For example: /untildone:resume --force`,
  );
}

interface Flags {
  /** The last one counts. */
  readonly values: readonly string[];
  readonly lists: readonly string[];
  readonly switches: readonly string[];
}

interface Typed {
  readonly words: readonly string[];
  readonly flags: { readonly [name: string]: never };
}

function readFlags(verb: string, text: string, flags: Flags): Typed {
  const words: string[] = [];
  const readValues: { [name: string]: unknown } = {};
  const typed = splitWords(text);
  for (let at = 0; at < typed.length; at += 1) {
    const { text: word = '', isQuoted = true } = typed[at] ?? {};
    if (isQuoted || !word.startsWith('--')) {
      words.push(word);
      continue;
    }
    const name = word.slice(2);
    if (flags.switches.includes(name)) {
      readValues[name] = true;
      continue;
    }
    if (!flags.values.includes(name) && !flags.lists.includes(name)) throw unknown(verb, word, flags);
    at += 1;
    const value = typed[at]?.text;
    if (value === undefined)
      throw new OperatorError('usage', `${word} has no value.`, `For example: ${word} "…"`);
    readValues[name] = flags.lists.includes(name) ? [...listOf(readValues[name]), value] : value;
  }
  // The names in the table are those of the types above.
  return { words, flags: readValues as Typed['flags'] };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function unknown(verb: string, word: string, flags: Flags): OperatorError {
  return new OperatorError('usage', `/untildone:${verb} has no option ${word}.`, `It has ${namesOf(flags)}.`);
}

function namesOf({ values, lists, switches }: Flags): string {
  return [...values, ...lists, ...switches].map((name) => `--${name}`).join(', ');
}
