import type { ESTree } from 'vite';
import { testTitles } from '../docs/behaviours.ts';
import { isProduct, isTest, placeAt, type Rule, type SourceFile, visit } from './source-file.ts';

/** Words of an old dialect: each has a plain replacement, which GLOSSARY.md or ordinary English gives. */
const dialect =
  /\b(?:nobody|whoever|somebody|anew|goes on|go on|went on|taken up|takes up|dead ends?|is told|are told|deeds?|setbacks?|ladders?|rungs?|purse|knocks?|own eyes|foreign (?:session|client)|last words|open matters?|shut in|same breath)\b/i;

/** Texts that models read stay as they were tried; the faults of the test kit are programs. */
export const forModels =
  /^src\/(?:policies\/prompts\/|policies\/signals\/action-format|policies\/loops\/actions\/action-texts|agents\/openai\/messages|testing\/)/;

/** Only sentences: a stored value or a key may be a single word. */
export const isSentence = (text: string): boolean => /[a-z]{2,} [a-z]{2,} [a-z]{2,}/i.test(text);

/** Help, errors, notes and views use plain words. */
export const plainSentences: Rule = (files) =>
  files
    .filter((file) => isProduct(file) && !forModels.test(file.path))
    .flatMap((file) =>
      textsOf(file).flatMap(({ text, start }) => {
        const word = isSentence(text) ? dialect.exec(text)?.[0] : undefined;
        return word === undefined ? [] : [`${placeAt(file, start)} says "${word}"; use plain words`];
      }),
    );

const dialectOfTitles =
  /\b(?:nobody|whoever|somebody|seed shows|anew|go(?:es)? on|went on|taken up|dead ends?|deeds?|setbacks?|ladders?|rungs?|purse|knocks?|own eyes|foreign (?:session|client)|shut in|same breath)\b/i;

/** Titles of tests are read alone, in reports. */
export const plainTitles: Rule = (files) =>
  files
    .filter((file) => isTest(file) && file.path.endsWith('.ts'))
    .flatMap((file) =>
      testTitles(file)
        .filter((title) => dialectOfTitles.test(title))
        .map((title) => `${file.path} has the title "${title}"; use plain words`),
    );

const helpWordsMax = 10;
const helpAt: Readonly<Record<string, number>> = { description: 0, summary: 0, option: 1, argument: 1 };

/** The help of a command, an argument or a flag is one short phrase; details stand below the list. */
export const shortHelp: Rule = (files) =>
  files
    .filter((file) => isProduct(file) && /^src\/(?:surfaces\/cli\/|config\/setting-table)/.test(file.path))
    .flatMap((file) => {
      const found: string[] = [];
      const judge = (help: ESTree.Node | undefined, start: number): void => {
        if (help?.type !== 'Literal' || typeof help.value !== 'string') return;
        const words = help.value.split(/\s+/).length;
        if (words > helpWordsMax)
          found.push(`${placeAt(file, start)} has a help of ${words} words, at most ${helpWordsMax}`);
      };
      visit(file, {
        Property: ({ key, value, start }) => {
          if (key.type === 'Identifier' && /^(?:help|noHelp)$/.test(key.name)) judge(value, start);
        },
        CallExpression: ({ callee, arguments: given, start }) => {
          if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
          judge(given[helpAt[callee.property.name] ?? -1], start);
        },
      });
      return found;
    });

interface FoundText {
  readonly text: string;
  readonly start: number;
}

export function textsOf(file: SourceFile): FoundText[] {
  const texts: FoundText[] = [];
  visit(file, {
    Literal: ({ value, start }) => {
      if (typeof value === 'string') texts.push({ text: value, start });
    },
    TemplateElement: ({ value, start }) => {
      texts.push({ text: value.raw, start });
    },
  });
  return texts;
}
