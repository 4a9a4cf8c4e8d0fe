import type { ESTree } from 'vite';
import { forModels, isSentence } from './plain-words.ts';
import { isProduct, placeAt, type Rule, type SourceFile, visit } from './source-file.ts';

const wordsMax = 25;

/** Help, errors, hints, notes and descriptions of settings: one idea in a sentence. */
export const shortSentences: Rule = (files) =>
  files
    .filter((file) => isProduct(file) && !forModels.test(file.path))
    .flatMap((file) =>
      [...textsOf(file)].flatMap(([start, text]) =>
        sentencesOf(text)
          .filter((sentence) => isSentence(sentence) && !isProgram(sentence) && !isWordList(sentence))
          .map((sentence) => ({ sentence, words: countWords(sentence) }))
          .filter(({ words }) => words > wordsMax)
          .map(
            ({ sentence, words }) =>
              `${placeAt(file, start)} has a sentence of ${words} words, at most ${wordsMax}: ${sentence}`,
          ),
      ),
    );

/** A sentence ends with its mark, at an empty line, or at an indented line; ` · ` divides a list. */
function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?]["'”)`]*)\s+|\n\s*\n|\n(?= )|(?<=^ .*)\n|\s·\s/m)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim());
}

const isProgram = (text: string): boolean => /=>|<\/|\w[({][\w'"]|\{ |\|\w.*\|\w/.test(text);

const isWordList = (text: string): boolean => !/\w[.,:;?!]/.test(text);

/** Code between backticks is one word. */
function countWords(sentence: string): number {
  const words = sentence.replaceAll(/`[^`]*`/g, 'code').split(' ');
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** By position; a part of a text is not a text of its own. */
function textsOf(file: SourceFile): Map<number, string> {
  const texts = new Map<number, string>();
  let end = 0;
  const add = (node: ESTree.Expression): void => {
    if (node.end <= end) return;
    const text = textOf(node);
    if (text === null) return;
    texts.set(node.start, text);
    end = node.end;
  };
  visit(file, { BinaryExpression: add, ConditionalExpression: add, Literal: add, TemplateLiteral: add });
  return texts;
}

const placeholder = 'X';

/** Of two alternatives the longer one; a value that is not written here counts as one word. Null if no text is written. */
function textOf(node: ESTree.Expression): string | null {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : null;
    case 'TemplateLiteral':
      return node.quasis
        .flatMap(({ value }, index) => {
          const held = node.expressions[index];
          return [value.cooked ?? value.raw, held === undefined ? '' : (textOf(held) ?? placeholder)];
        })
        .join('');
    case 'BinaryExpression':
      return node.operator === '+' ? both(node.left, node.right) : null;
    case 'ConditionalExpression':
      return longer(textOf(node.consequent), textOf(node.alternate));
    case 'LogicalExpression':
      return longer(textOf(node.left), textOf(node.right));
    case 'ParenthesizedExpression':
      return textOf(node.expression);
    default:
      return null;
  }
}

function both(left: ESTree.Expression, right: ESTree.Expression): string | null {
  const [first, second] = [textOf(left), textOf(right)];
  return first === null && second === null ? null : `${first ?? placeholder}${second ?? placeholder}`;
}

function longer(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return countWords(one) < countWords(other) ? other : one;
}
