// Says what is wrong with the syntax of a JSON text.
import { type ParseErrorCode, printParseErrorCode } from 'jsonc-parser';

const words: { readonly [name: string]: string } = {
  InvalidSymbol: 'a word is not in quotes',
  InvalidNumberFormat: 'a number is not written correctly',
  PropertyNameExpected: 'a key in quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: '":" is missing',
  CommaExpected: '"," is missing',
  CloseBraceExpected: '"}" is missing',
  CloseBracketExpected: '"]" is missing',
  EndOfFileExpected: 'there is text after the end',
  InvalidCommentToken: 'comments are not allowed here',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a text has no closing quote',
  UnexpectedEndOfNumber: 'a number has no end',
  InvalidUnicode: 'a \\u sequence is not written correctly',
  InvalidEscapeCharacter: 'a backslash has to be written as \\\\',
  InvalidCharacter: 'a character has to be escaped',
};

export function jsonSyntaxWords(code: ParseErrorCode): string {
  return words[printParseErrorCode(code)] ?? 'the syntax is wrong';
}
