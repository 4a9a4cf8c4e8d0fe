/** A sentence as a part of another one: the whole has a full stop of its own. */
export function withoutFullStop(sentence: string): string {
  return sentence.trimEnd().replace(/(?<!\.)\.$/, '');
}
