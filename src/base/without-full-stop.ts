/** For a sentence that becomes part of another one, which has its own full stop. */
export function withoutFullStop(sentence: string): string {
  return sentence.trimEnd().replace(/(?<!\.)\.$/, '');
}
