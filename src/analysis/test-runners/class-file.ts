// Plants failing methods before the last brace of test classes in Java and PHP. Pure.
import { isClosed, mask, openBrackets } from '#analysis/texts/mask.ts';
import { writeEach } from './style.ts';
import type { JoinedId } from './style.ts';
import { noPlace } from './test-runner.ts';
import type { Planted, SourceText } from './test-runner.ts';

export interface ClassRules {
  readonly language: 'java' | 'php';
  /** A call of an assertion: its text up to the word, and the word. */
  readonly call: RegExp;
  /** Arguments that make a known word fail. */
  readonly words: Readonly<Record<string, (id: string) => string>>;
  /** The joined id as an expression. */
  join(id: JoinedId): string;
  method(identifier: string, statement: string): string;
  name(identifier: string): string;
}

export function plantInClass({ path, text }: SourceText, id: string, rules: ClassRules): Planted {
  const masked = mask(text, rules.language);
  const end = masked.lastIndexOf('}');
  if (!isClosed(masked) || !isOnlyClass(masked) || end < 0) return noPlace(path);
  const calls = new Map(
    [...masked.matchAll(rules.call)]
      .filter(([, , word = '']) => Object.hasOwn(rules.words, word))
      .map(([, lead = '', word = '']) => [`${lead}${word}`, word]),
  );
  if (calls.size === 0) return noPlace(path);
  const { texts, failures } = writeEach(id, [...calls], ([call, word], one) => {
    const statement = `${call}(${rules.words[word]?.(rules.join(one)) ?? ''});`;
    return [`\n${rules.method(one.identifier, statement)}`, rules.name(one.identifier)];
  });
  return { kind: 'planted', text: text.slice(0, end) + texts.join('') + text.slice(end), failures };
}

/** The last brace closes the test class only if the file has no other. */
function isOnlyClass(masked: string): boolean {
  const classes = [...masked.matchAll(/\b(?:class|interface|enum|record|trait)\s+\w+/g)];
  return classes.filter(({ index }) => openBrackets(masked, index)?.length === 0).length === 1;
}
