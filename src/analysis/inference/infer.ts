// Turns a sentence into checks. A rule matches the whole sentence or nothing; without a match we ask.
import { inferCommand } from './command-rules.ts';
import type { RepositoryFacts } from './facts.ts';
import { inferFile } from './file-rules.ts';
import { inferGate } from './gate-rules.ts';
import { ask, type Inference } from './inference.ts';
import { inferKey } from './key-rules.ts';
import { inferAnswer, inferSight } from './page-rules.ts';
import { readSentence, type Sentence } from './sentence.ts';
import { inferSymbol } from './symbol-rules.ts';
import { inferUse } from './use-rules.ts';
import { whyAsked } from './why-asked.ts';

const rules = [inferFile, inferKey, inferUse, inferSymbol, inferGate, inferCommand, inferAnswer, inferSight];

/** Longer is a description, not a criterion. */
const textMax = 400;

export function infer(text: string, facts: RepositoryFacts): Inference {
  if (text.trim() === '') return ask('it says nothing');
  // It would look like one of our own marks.
  if (/<\d+>/.test(text)) return ask('it has a blank to fill in');
  if (text.length > textMax || text.trim().includes('\n'))
    return ask('it is longer than one sentence: split it');
  // A plain word is a word first (`check`, `types` and `script` are often names too), and a name second.
  const plainly = readSentence(text, { ...facts, symbols: [] });
  const byNames = readSentence(text, facts);
  return understand(plainly, facts) ?? understand(byNames, facts) ?? whyAsked(byNames, facts);
}

function understand(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  return single(sentence, facts) ?? compound(sentence, facts);
}

function single(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  for (const rule of rules) {
    const found = rule(sentence, facts);
    if (found !== null) return found;
  }
  return null;
}

/** "A and B": every part must be understood; shared words are repeated for each part. */
function compound(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  const parts = sentence.words.split(/\s*(?:, and|; and|,|;|\band\b|&)\s*/).filter((part) => part !== '');
  if (parts.length < 2 || parts.length > 6) return null;
  const ways = [parts, ...withTail(parts), ...withHead(parts)];
  for (const way of ways) {
    const found = way.map((words) => single({ ...sentence, words }, facts));
    const joined = found.every((one) => one?.kind === 'checks') ? join(found) : null;
    if (joined !== null) return joined;
  }
  return null;
}

/** "A and B exist": the end of the last part belongs to all. */
function withTail(parts: readonly string[]): string[][] {
  const last = (parts.at(-1) ?? '').split(' ');
  return last.slice(1).map((_, at) => {
    const tail = last.slice(at + 1).join(' ');
    return parts.map((part, index) => (index === parts.length - 1 ? part : `${part} ${tail}`));
  });
}

/** "F exports A and B": the beginning of the first part belongs to all. */
function withHead(parts: readonly string[]): string[][] {
  const first = (parts[0] ?? '').split(' ');
  return first.slice(1).map((_, at) => {
    const head = first.slice(0, first.length - 1 - at).join(' ');
    return parts.map((part, index) => (index === 0 ? part : `${head} ${part}`));
  });
}

function join(found: readonly (Inference | null)[]): Inference | null {
  const all = found.flatMap((one) => (one?.kind === 'checks' ? [one] : []));
  const [first, ...others] = all;
  if (first === undefined) return null;
  return {
    kind: 'checks',
    checks: [...first.checks, ...others.flatMap(({ checks }) => checks)],
    confidence: Math.min(...all.map(({ confidence }) => confidence)),
    why: [...new Set(all.map(({ why }) => why))].join('; '),
    isSuggestion: all.some(({ isSuggestion }) => isSuggestion),
  };
}
