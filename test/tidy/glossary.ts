// The words that GLOSSARY.md avoids, read from its tables, so that a new word there is checked at once.
import { testTitles } from '../docs/behaviours.ts';
import { forModels, isSentence, textsOf } from './plain-words.ts';
import { isProduct, isTest, placeAt, type Rule, type SourceFile } from './source-file.ts';

/** Avoided for one thing and right for another, so a machine cannot judge them. */
const rightElsewhere: { readonly [word: string]: string } = {
  chat: 'the conversation of a person with a client',
  clone: 'git clone',
  command: 'a command of a shell or of untildone',
  effect: 'what a setting or a change does',
  foreign: 'of another program: a socket, a server',
  freeze: 'the settings of a run',
  item: 'an attention item; an item of a list',
  iteration: 'a turn of the action loop; `untildone stats` has the names of other loops',
  job: 'a job of a shell',
  judge: 'the verb: a reviewer judges the work',
  log: 'the log of a session',
  look: 'the verb: it looks like a header',
  loop: 'the action loop, the settings loops.*',
  marker: 'the completion marker, the run marker',
  mode: 'the mode of a file or of a client, --mode',
  requirement: 'requirements.txt, a requirement of a client',
  result: 'the result of a check or of a step',
  sleep: 'the verb: a program sleeps',
  snapshot: 'the snapshots of the workspace and of the journal',
};

/** In the singular: `violations` is also found as `violation`. */
export function avoidedWords(files: readonly SourceFile[]): readonly string[] {
  const text = files.find(({ path }) => path === 'GLOSSARY.md')?.text ?? '';
  const words = text
    .split('\n')
    .map((line) => /^\|[^|]*\|[^|]*\|([^|]*)\|$/.exec(line)?.[1]?.trim() ?? '')
    .filter((cell) => cell !== 'avoid' && /^[a-z]/.test(cell))
    .flatMap((cell) => cell.split(', '))
    .map((word) => word.replace(/s$/, ''));
  return [...new Set(words)];
}

/** Those with one meaning. */
export function forbiddenWords(files: readonly SourceFile[]): readonly string[] {
  return avoidedWords(files).filter((word) => !Object.hasOwn(rightElsewhere, word));
}

/** Help, errors, notes, views and titles of tests use the words of the glossary. */
export const glossaryWords: Rule = (files) => {
  const words = forbiddenWords(files);
  if (words.length === 0) return [];
  const pattern = new RegExp(String.raw`\b(?:${words.join('|')})s?\b`, 'i');
  const wordIn = (text: string): string | undefined => pattern.exec(text)?.[0];
  const sentences = files
    .filter((file) => isProduct(file) && !forModels.test(file.path))
    .flatMap((file) => textsOf(file).map(({ text, start }) => [placeAt(file, start), text] as const))
    .filter(([, text]) => isSentence(text));
  const titles = files
    .filter((file) => isTest(file) && file.path.endsWith('.ts'))
    .flatMap((file) => testTitles(file).map((title) => [file.path, title] as const));
  return [...sentences, ...titles].flatMap(([place, text]) => {
    const word = wordIn(text);
    return word === undefined ? [] : [`${place} says "${word}"; GLOSSARY.md has the word to use`];
  });
};

/** An exception for a word that the glossary no longer avoids is removed. */
export const neededExceptions: Rule = (files) => {
  const avoided = avoidedWords(files);
  return Object.keys(rightElsewhere)
    .filter((word) => !avoided.includes(word))
    .map((word) => `test/tidy/glossary.ts has an exception for "${word}", which GLOSSARY.md does not avoid`);
};
