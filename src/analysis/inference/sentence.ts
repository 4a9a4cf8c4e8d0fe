// Reads a sentence and replaces its names: `<0> is exported from <1>`. Rules match the whole of it.
import type { RepositoryFacts } from './facts.ts';
import { bareCommand, isBareName } from './names.ts';

export interface Token {
  readonly text: string;
  /** A bare word that looks like a name is less certain than one in quotes. */
  readonly isQuoted: boolean;
  /** In backquotes: code, not text on a page. */
  readonly isCode: boolean;
}

export interface Sentence {
  readonly words: string;
  readonly tokens: readonly Token[];
  /** "at the root of the repository" was said. */
  readonly isAtRoot: boolean;
}

export function readSentence(text: string, facts: RepositoryFacts): Sentence {
  const tokens: Token[] = [];
  const take = (name: string, isQuoted: boolean, isCode = false): string => {
    tokens.push({ text: name, isQuoted, isCode });
    return ` <${tokens.length - 1}> `;
  };
  const plain = withoutMarks(text);
  const quoted = plain.replaceAll(
    /`([^`\n]+)`|"([^"\n]+)"|“([^”\n]+)”|(?<![\w])'([^'\n]+)'(?![\w])/g,
    (_, code: string | undefined, ...others: (string | undefined)[]) =>
      take(code ?? others.find((group) => group !== undefined) ?? '', true, code !== undefined),
  );
  const command = bareCommand(quoted, facts);
  const named = command === null ? quoted : quoted.replace(command, () => take(command, false));
  const words = named
    .split(/\s+/)
    .map((word, at, all) => bareWord(word, { facts, take, before: all.slice(Math.max(0, at - 2), at) }))
    .join(' ');
  return { words: normalised(words), tokens, isAtRoot: /\broot\b/i.test(words) };
}

/** List marks, checkboxes, numbers, emphasis. */
function withoutMarks(text: string): string {
  return text
    .trim()
    .replace(/^(?:[-*+•]\s+)?(?:\[[ xX]\]\s+)?(?:(?:AC|REQ|R|C)?[-\s]?\d+(?:\.\d+)*[.):]\s+)?/, '')
    .replaceAll(/\*\*(.+?)\*\*/g, '$1')
    .replaceAll(/(?<!\w)__(.+?)__(?!\w)/g, '$1');
}

interface Around {
  readonly facts: RepositoryFacts;
  readonly take: (name: string, isQuoted: boolean) => string;
  /** The two words before. */
  readonly before: readonly string[];
}

function bareWord(word: string, { facts, take, before }: Around): string {
  const [, open = '', name = '', close = ''] = /^([([]*)(.*?)([)\].,;:!?]*)$/.exec(word) ?? [];
  const call = close.startsWith(')') && name.endsWith('(') ? name.slice(0, -1) : name;
  if (!isBareName(call, facts) && !isIntroduced(call, before))
    return word.replace(/\.$/, ' .').replace(/([,;:!?])$/, ' $1');
  const rest = call === name ? close : close.slice(1);
  return `${open}${take(call, false)}${rest.replaceAll(/(.)/g, ' $1')}`;
}

/** "an interface Order", "a function called parse": the words before turn any word into a name. */
function isIntroduced(word: string, before: readonly string[]): boolean {
  const [first = '', second = ''] = before.toReversed();
  const kinds = /^(?:function|class|interface|struct|enum|trait|type|component|method|constant|exception)$/i;
  if (/^(?:called|named)$/i.test(first)) return kinds.test(second) && /^[A-Za-z_]\w*$/.test(word);
  return kinds.test(first) && /^[A-Z]\w+$/.test(word) && !/^[A-Z]+$/.test(word);
}

const modals =
  /\b(?:should|must|shall|will|has to|have to|needs to|need to|is expected to|are expected to|is to)\s+(\w+)/g;

function normalised(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(modals, (_, verb: string) => inflected(verb))
    .replaceAll(/\b(?:are|were|was|has been|have been|gets|is being)\b/g, 'is')
    .replaceAll(
      /\b(?:exist|pass|succeed|export|define|declare|contain|include|have)\b|\b(?:build|compile)(?=$| \.| cleanly| with| fine)/g,
      plural,
    )
    .replaceAll(/\b(?:an?|the|new|also|still|successfully|now|both|newly)\b/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/(?: [.!;])+$/, '')
    .replace(/^(?:please )?(?:(?:ensure|make sure|verify|check|confirm|assert|validate)(?: that)? )?/, '')
    .replace(
      / (?:in|at|to) (?:root of )?(?:repository|repo|project|codebase)(?: root)?$| (?:at|in) root$/,
      '',
    )
    .trim();
}

/** The verb after a modal, in the form without one. */
function inflected(verb: string): string {
  if (verb === 'be') return 'is';
  if (verb === 'have') return 'has';
  if (verb === 'not') return 'does not';
  return thirdPerson(verb);
}

/** A plural verb in the middle of a sentence; at its beginning it is an order. */
function plural(verb: string, ...rest: unknown[]): string {
  const at = rest.find((one) => typeof one === 'number');
  return at === 0 ? verb : verb === 'have' ? 'has' : thirdPerson(verb);
}

function thirdPerson(verb: string): string {
  if (/(?:s|sh|ch|x|z)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}
